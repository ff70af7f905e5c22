import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { UrlSigner } from '../../../src/platform/secrets/url-signer.js';
import { emailOf, folder, id, keyOf, member, user } from '../../factories/workspace.js';
import {
  expectEnded,
  SharedMedia,
  statuses,
  STORES,
  type SharedAddresses,
} from '../../support/shared-media.js';

const GRACE = `(SELECT id FROM users WHERE email = '${emailOf('Grace')}')`;
const GRACE_KEY = keyOf('Grace');
const LAPTOP_KEY = keyOf('Grace on a laptop');
const RESTRICT = 'UPDATE folders SET restricted = true';

/** What restores the world: Grace is an editor, and sees the film because it is in an open folder. */
const WORLD = [
  'UPDATE api_keys SET revoked_at = NULL, expires_at = NULL',
  `INSERT INTO organization_members (organization_id, user_id, role)
     SELECT o.id, u.id, 'EDITOR' FROM organizations o, users u WHERE u.email = '${emailOf('Grace')}'
     ON CONFLICT DO NOTHING`,
  `UPDATE organization_members SET role = 'EDITOR', feature_downloads = true, view_folder_recordings = true
     WHERE user_id = ${GRACE}`,
  `UPDATE organizations SET plan = 'ENTERPRISE', subscription_status = 'active', feature_downloads = true,
     api_key_max_days = NULL`,
  'UPDATE folders SET restricted = false, active = true',
  `UPDATE recordings SET created_at = now(), status = 'COMPLETED', folder_id = (SELECT id FROM folders)`,
];

const OPEN = ['video', 'hls', 'segment', 'thumbnail'] as const;

type Kind = keyof SharedAddresses;

/** What ends, the statements that end it, and the URLs of Grace that still work. */
const ENDS: readonly (readonly [string, readonly string[], readonly Kind[]])[] = [
  ['the key is revoked', ['UPDATE api_keys SET revoked_at = now()'], []],
  ['the membership ends', [`DELETE FROM organization_members WHERE user_id = ${GRACE}`], []],
  ['the folder is restricted', [RESTRICT], []],
  ['the organization no longer accepts the key', ['UPDATE organizations SET api_key_max_days = 90'], []],
  // The list and its thumbnails remain when the subscription has ended or the recording is locked.
  ['the subscription ends', [`UPDATE organizations SET subscription_status = 'expired'`], ['thumbnail']],
  [
    'the plan locks the recording',
    [
      `UPDATE recordings SET created_at = now() - interval '1 year'`,
      `UPDATE organizations SET plan = 'FREE'`,
    ],
    ['thumbnail'],
  ],
  ['the plan has no downloads', [`UPDATE organizations SET plan = 'FREE'`], OPEN],
];

const urls = (addresses: SharedAddresses): string[] => Object.values(addresses);

const ALL_WORK = [200, 200, 200, 200, 200];

describe.each(STORES)('media URLs of an API key, %s', (_, describeStore, inS3) => {
  describeStore('issued and ended', () => {
    let shared: SharedMedia;

    const world = async (): Promise<void> => {
      for (const statement of WORLD) await shared.sql(statement);
    };
    const mine = (key = GRACE_KEY): Promise<SharedAddresses> => shared.addressesFor(key);

    beforeAll(async () => {
      const keys = [
        { name: 'test', key: GRACE_KEY },
        { name: 'laptop', key: LAPTOP_KEY },
      ];
      shared = await SharedMedia.start(inS3, {
        users: [user('Grace', { apiKeys: keys })],
        members: [member('Grace', 'EDITOR')],
        folders: [folder('Sales')],
      });
    });
    beforeEach(world);
    afterEach(() => shared.service.setNow(null));
    afterAll(() => shared.stop());

    it.each(ENDS)('end as soon as %s, and work again when that is undone', async (_name, end, left) => {
      const addresses = await mine();
      expect(await statuses(urls(addresses))).toEqual(ALL_WORK);
      for (const statement of end) await shared.sql(statement);
      const kinds = Object.keys(addresses) as Kind[];
      await expectEnded(kinds.filter((kind) => !left.includes(kind)).map((kind) => addresses[kind] ?? ''));
      expect(await statuses(left.map((kind) => addresses[kind] ?? ''))).toEqual(left.map(() => 200));
      await world();
      expect(await statuses(urls(addresses))).toEqual(ALL_WORK);
    });

    it('end with the key they were issued to, not with other keys of the same user or of others', async () => {
      const grace = shared.service.api.as(LAPTOP_KEY);
      const [ended, laptop, ada] = [await mine(), await mine(LAPTOP_KEY), await mine(keyOf('Ada'))];
      const { data } = (await grace.get('/api-keys')).body;
      const { id: keyId } = data.find(({ name }: { name: string }) => name === 'test');
      expect((await grace.delete(`/api-keys/${keyId}`)).status).toBe(200);
      await expectEnded(urls(ended));
      expect(await statuses([...urls(laptop), ...urls(ada)])).toEqual([...ALL_WORK, ...ALL_WORK]);
    });

    it('end the moment the key expires', async () => {
      const addresses = await mine();
      const end = new Date(Date.now() + 600_000);
      await shared.sql('UPDATE api_keys SET expires_at = $1', end);
      shared.service.setNow(new Date(end.getTime() - 1));
      expect(await statuses(urls(addresses))).toEqual(ALL_WORK);
      shared.service.setNow(end);
      await expectEnded(urls(addresses));
    });

    it('are revalidated by caches: 304 while they work, 403 afterwards', async () => {
      const { video, hls, segment, thumbnail } = await mine();
      const tags = new Map<string, string>();
      for (const url of [video, hls, segment, thumbnail]) {
        const { headers } = await fetch(url, { method: 'HEAD' });
        expect(headers.get('cache-control')).toBe('private, no-cache');
        tags.set(url, headers.get('etag') ?? '');
      }
      const ask = async (url: string): Promise<number> => {
        // Node's fetch requests a fresh copy by default.
        const headers = { 'if-none-match': tags.get(url) ?? '', 'cache-control': 'max-age=3600' };
        return (await fetch(url, { headers })).status;
      };
      expect(await Promise.all([...tags.keys()].map(ask))).toEqual([304, 304, 304, 304]);
      await shared.sql('UPDATE api_keys SET revoked_at = now()');
      expect(await Promise.all([...tags.keys()].map(ask))).toEqual([403, 403, 403, 403]);
    });

    it.each([
      ['nobody, as before URLs named a key', {}],
      ['something that is not a key', { key: 'x' }],
      ['an unknown key', { key: id() }],
      ['an unknown share link', { share: id() }],
    ])('are refused when signed for %s', async (_name, query) => {
      const signer = shared.service.app.get(UrlSigner);
      const expiresAt = new Date(Date.now() + 60_000);
      const path = `/media/${shared.filmId}`;
      const [holder] = Object.entries(query).map(([kind, name]) => (kind === 'key' ? `key_${name}` : name));
      const scope = holder === undefined ? `${path}/hls` : `${path}/hls/${holder}`;
      const token = `${holder === undefined ? '' : `${holder}.`}${signer.token(scope, expiresAt)}`;
      const signed = [
        signer.sign(`${path}/video`, { disposition: 'inline', ...query }, expiresAt),
        signer.sign(`${path}/video`, { disposition: 'attachment', ...query }, expiresAt),
        signer.sign(`${path}/thumbnail`, query, expiresAt),
        `${path}/hls/${token}/master.m3u8`,
      ];
      await expectEnded(signed.map((url) => shared.service.api.base + url));
    });

    it.each([
      ['another key', (url: string, own: string, other: string) => url.replace(own, other)],
      ['no key', (url: string, own: string) => url.replace(new RegExp(`key[=_]${own}[&.]`), '')],
      ['a share link', (url: string, own: string) => url.replace(`key=${own}`, `share=${own}`)],
    ])('are refused when altered to name %s', async (_name, change) => {
      const addresses = urls(await mine());
      const keys = await shared.service.dataSource.query<{ id: string }[]>('SELECT id FROM api_keys');
      const own = keys.find((key) => addresses[0]?.includes(key.id))?.id ?? '';
      const other = keys.find((key) => key.id !== own)?.id ?? '';
      const altered = addresses
        .map((url) => change(url, own, other))
        .filter((url) => !addresses.includes(url));
      expect(altered.length).toBeGreaterThanOrEqual(3);
      await expectEnded(altered);
    });

    it('end with the user', async () => {
      const addresses = await mine();
      await shared.sql(`DELETE FROM users WHERE id = ${GRACE}`);
      await expectEnded(urls(addresses));
    });

    it('end with the recording', async () => {
      const addresses = await mine(keyOf('Ada'));
      expect(await statuses(urls(addresses))).toEqual(ALL_WORK);
      expect((await shared.ada.delete(`/recordings/${shared.filmId}`)).status).toBe(200);
      await expectEnded(urls(addresses));
    });
  });
});
