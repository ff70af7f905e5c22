import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, transcript } from '../../factories/workspace.js';
import { browserToken, Page } from '../../support/browser-tokens.js';
import { done, type Client } from '../../support/client.js';
import { type Detail } from '../../support/packaged.js';
import { expectEnded, SharedMedia, statuses, STORES } from '../../support/shared-media.js';

const READ = ['recordings:read', 'transcripts:read'];

/** The media of a recording, for a page with a browser token. */
describe.each(STORES)('media URLs of a browser token, %s', (_, describeStore, inS3) => {
  describeStore('with a packaged video', () => {
    let media: SharedMedia;
    let path: string;
    const lobby = folder('Lobby');

    beforeAll(async () => {
      media = await SharedMedia.start(inS3, { folders: [lobby] });
      path = `/recordings/${media.filmId}`;
      await done(media.ada.request('PUT', `${path}/transcript`, { body: transcript(3) }));
    });
    afterAll(() => media.stop());
    afterEach(() => media.service.setNow(null));

    const detailFor = async (fields: object, by: Client = media.ada): Promise<Detail> => {
      const token = await browserToken(by, { scopes: READ, recordings: [media.filmId], ...fields });
      return done(new Page(by, token).get(path));
    };
    const captionsOf = ({ hlsUrl }: Detail): string[] =>
      ['captions.m3u8', 'captions.vtt'].map((name) => new URL(name, hlsUrl).href);
    const filesOf = ({ videoUrl, downloadUrl, hlsUrl, thumbnailUrl }: Detail): string[] => [
      videoUrl,
      downloadUrl,
      hlsUrl,
      thumbnailUrl,
    ];

    it('expire with it, and are sent by the service itself', async () => {
      const detail = await detailFor({ expires_in: 120 });
      const all = [...filesOf(detail), detail.captionsUrl, ...captionsOf(detail)];
      expect(await statuses(all)).toEqual(all.map(() => 200));
      expect((await fetch(detail.downloadUrl, { redirect: 'manual' })).status).toBe(200);
      media.service.setNow(new Date(Date.now() + 121_000));
      await expectEnded(all);
      const usual = await detailFor({ expires_in: 3600 });
      expect(await statuses(filesOf(usual))).toEqual([200, 200, 200, 200]);
    });

    it('end with its key', async () => {
      const { id, key } = await done(media.ada.post('/api-keys', { name: 'host' }));
      const urls = filesOf(await detailFor({}, media.service.api.as(key)));
      expect(await statuses(urls)).toEqual([200, 200, 200, 200]);
      await done(media.ada.delete(`/api-keys/${id}`));
      await expectEnded(urls);
    });

    it('end when the recording leaves its folder', async () => {
      await done(media.ada.patch(path, { folder_id: lobby.id }));
      const urls = filesOf(await detailFor({ recordings: undefined, folder: lobby.id }));
      expect(await statuses(urls)).toEqual([200, 200, 200, 200]);
      await done(media.ada.patch(path, { folder_id: null }));
      await expectEnded(urls);
    });

    it('show no captions without the scope for transcripts, whatever the key may', async () => {
      const detail = await detailFor({ scopes: ['recordings:read'] });
      expect(detail.captionsUrl).toBeNull();
      expect(await (await fetch(detail.hlsUrl)).text()).not.toMatch(/SUBTITLES/);
      await expectEnded(captionsOf(detail));
      const [holder = ''] = /viewer_/.exec(detail.hlsUrl) ?? [];
      await expectEnded([detail.hlsUrl.replace(holder, 'key_'), detail.hlsUrl.replace(holder, 'reader_')]);
      expect(await (await fetch((await detailFor({})).hlsUrl)).text()).toMatch(/SUBTITLES/);
    });
  });
});
