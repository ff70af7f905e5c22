import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { id, recording } from '../../factories/workspace.js';
import {
  expectEnded,
  SharedMedia,
  statuses,
  STORES,
  type SharedAddresses,
} from '../../support/shared-media.js';

const ORGANIZATION = '(SELECT organization_id FROM recordings WHERE id = $1)';

/** What invalidates the URLs of a link, and what restores them. */
const ENDS = [
  ['the link is revoked', 'DELETE FROM share_links WHERE recording_id = $1', null],
  [
    'it gets a password',
    `UPDATE share_links SET password_hash = 'a' WHERE recording_id = $1`,
    `UPDATE share_links SET password_hash = NULL WHERE recording_id = $1`,
  ],
  [
    'sharing is turned off',
    `UPDATE organizations SET feature_sharing = false WHERE id = ${ORGANIZATION}`,
    `UPDATE organizations SET feature_sharing = true WHERE id = ${ORGANIZATION}`,
  ],
  [
    'the subscription ends',
    `UPDATE organizations SET subscription_status = 'expired' WHERE id = ${ORGANIZATION}`,
    `UPDATE organizations SET subscription_status = 'active' WHERE id = ${ORGANIZATION}`,
  ],
  [
    'the plan locks the recording',
    `WITH aged AS (UPDATE recordings SET created_at = now() - interval '1 year' WHERE id = $1)
     UPDATE organizations SET plan = 'FREE' WHERE id = ${ORGANIZATION}`,
    `WITH aged AS (UPDATE recordings SET created_at = now() WHERE id = $1)
     UPDATE organizations SET plan = 'ENTERPRISE' WHERE id = ${ORGANIZATION}`,
  ],
] as const;

const urls = (addresses: SharedAddresses): string[] => Object.values(addresses);

describe.each(STORES)('media of a share link, %s', (_, describeStore, inS3) => {
  describeStore('issued and invalidated', () => {
    let shared: SharedMedia;

    beforeAll(async () => {
      shared = await SharedMedia.start(inS3);
    });
    afterAll(() => shared.stop());
    afterEach(() => shared.service.setNow(null));

    const fresh = async (download = true): Promise<SharedAddresses> =>
      shared.addresses(await shared.link('download'), download);

    it('is served by the service itself, with only the URL', async () => {
      const addresses = await fresh();
      expect(new Set(urls(addresses).map((url) => new URL(url).port))).toEqual(
        new Set([new URL(shared.service.api.base).port]),
      );
      expect(await statuses(urls(addresses))).toEqual([200, 200, 200, 200, 200]);
    });

    it.each(ENDS)('becomes invalid as soon as %s', async (_name, end, undo) => {
      const addresses = await fresh();
      expect(await statuses(urls(addresses))).toEqual([200, 200, 200, 200, 200]);
      await shared.sql(end, shared.filmId);
      await expectEnded(urls(addresses));
      if (!undo) return;
      await shared.sql(undo, shared.filmId);
      expect(await statuses(urls(addresses))).toEqual([200, 200, 200, 200, 200]);
    });

    it('becomes invalid the moment the link expires', async () => {
      const linkId = await shared.link();
      const addresses = await shared.addresses(linkId);
      const end = new Date(Date.now() + 600_000);
      await shared.sql('UPDATE share_links SET expires_at = $1 WHERE id = $2', end, linkId);
      shared.service.setNow(new Date(end.getTime() - 1));
      expect(await statuses(urls(addresses))).toEqual([200, 200, 200, 200, 200]);
      shared.service.setNow(end);
      await expectEnded(urls(addresses));
    });

    it.each([
      ['downloads are turned off', 'UPDATE organizations SET feature_downloads = false'],
      ['the link only permits viewing', `UPDATE share_links SET permission = 'view'`],
    ])('cannot be downloaded but still plays when %s', async (_name, change) => {
      await shared.sql('DELETE FROM share_links');
      const { download, ...playing } = await fresh();
      await shared.sql(change);
      await expectEnded([download ?? '']);
      expect(await statuses(Object.values(playing))).toEqual([200, 200, 200, 200]);
      await shared.sql('UPDATE organizations SET feature_downloads = true');
    });

    it('has no download URL if requested without', async () => {
      expect((await fresh(false)).download).toBeNull();
    });

    it.each([
      ['nobody', () => ''],
      ['an unknown link', () => id()],
      ['the link in upper case', (linkId: string) => linkId.toUpperCase()],
    ])('is refused when signed for %s', async (_name, grantFor) => {
      await expectEnded(urls(await shared.addresses(grantFor(await shared.link()))));
    });

    it('is refused when signed for a link of another recording', async () => {
      const other = recording('Ada');
      await shared.service.import({ recordings: [other] });
      await expectEnded(urls(await shared.addresses(await shared.link('download', other.id))));
    });

    it.each([
      ['another link', (url: string, own: string, other: string) => url.replace(own, other)],
      [
        'the link removed',
        (url: string, own: string) => url.replace(new RegExp(`share=${own}&|${own}\\.`), ''),
      ],
      [
        'a second link inserted',
        (url: string, own: string, other: string) =>
          url.replace('?', `?share=${other}&`).replace(`${own}.`, `${other}.${own}.`),
      ],
      ['another recording', (url: string) => url.replace(shared.filmId, id())],
    ])('is refused when the URL is altered: %s', async (_name, change) => {
      const own = await shared.link('download');
      const other = await shared.link('view');
      const addresses = urls(await shared.addresses(own));
      const altered = addresses.map((url) => change(url, own, other));
      for (const [at, url] of addresses.entries()) expect(altered[at]).not.toBe(url);
      await expectEnded(altered);
    });

    it('ends with the recording', async () => {
      const addresses = await fresh();
      expect((await shared.ada.delete(`/recordings/${shared.filmId}`)).status).toBe(200);
      await expectEnded(urls(addresses));
    });
  });
});
