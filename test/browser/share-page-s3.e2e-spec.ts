import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { pagesOfTests } from '../support/browser.js';
import { CHROMIUM, S3 } from '../support/requirements.js';
import { SharedMedia } from '../support/shared-media.js';

/** Simulates a browser without HLS. */
const NO_HLS = `delete globalThis.MediaSource; delete globalThis.ManagedMediaSource;
  HTMLMediaElement.prototype.canPlayType = () => ''`;

CHROMIUM.describe('in a browser', () =>
  S3.describe('the share page with files in S3', () => {
    let media: SharedMedia;
    const open = pagesOfTests();

    beforeAll(async () => {
      media = await SharedMedia.start(true);
    }, 90_000);
    afterAll(() => media.stop());

    it.each(['HLS', 'the video file'])('plays, seeks and downloads %s, using only this host', async (by) => {
      const { share_token: token } = (
        await media.ada.post(`/recordings/${media.filmId}/share-link`, { permission: 'download' })
      ).body.data;
      const { page, complaints } = await open();
      const hosts = new Set<string>();
      page.on('request', (request) => {
        if (request.url().startsWith('http')) hosts.add(new URL(request.url()).host);
      });
      if (by !== 'HLS') await page.addInitScript(NO_HLS);
      await page.goto(`${media.service.api.base}/s/${token}#t=12`);
      const played = await page.evaluate(`(async () => {
      const video = document.querySelector('video');
      video.muted = true;
      await video.play();
      while (video.currentTime < 12.3) await new Promise((resolve) => setTimeout(resolve, 50));
      return { duration: video.duration, width: video.videoWidth };
    })()`);
      expect(played).toEqual({ duration: expect.closeTo(18.35, 0), width: 960 });
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download video' }).click(),
      ]);
      expect((await stat(await download.path())).size).toBe(
        (await stat('demo/media/depot-walk-through.mp4')).size,
      );
      expect([...hosts]).toEqual([new URL(media.service.api.base).host]);
      expect(complaints).toEqual([]);
    });
  }),
);
