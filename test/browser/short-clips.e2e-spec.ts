import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { keyOf, user } from '../factories/workspace.js';
import { openBrowser, openPage } from '../support/browser.js';
import { formatPath, TAKEN } from '../support/formats.js';
import { settled, upload } from '../support/packaged.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';

/** Plays from beginning to end. */
const PLAY = `async ({ url, hls }) => {
  const video = document.createElement('video');
  video.muted = true;
  document.body.replaceChildren(video);
  const errors = [];
  const outcome = new Promise((resolve) => {
    video.addEventListener('ended', () => resolve('ended'));
    video.addEventListener('error', () => resolve(video.error.message));
    setTimeout(() => resolve('stalled at ' + video.currentTime + ' of ' + video.duration), 8000);
  });
  if (hls) {
    const player = new Hls({ enableWorker: false });
    player.on(Hls.Events.ERROR, (_, data) => errors.push(data.details));
    player.loadSource(url);
    player.attachMedia(video);
  } else {
    video.src = url;
  }
  video.play().catch((error) => errors.push(error.message));
  return { outcome: await outcome, errors, duration: video.duration };
}`;

CHROMIUM.describe('a clip shorter than half a second in a browser', () => {
  let service: TestService;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada')] });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it.each(TAKEN.filter(({ seconds }) => seconds < 0.5).map(({ file, seconds }) => [file, seconds] as const))(
    'plays to its end, as HLS and as a file: %s',
    async (file, seconds) => {
      const ada = service.api.as(keyOf('Ada'));
      const id = await upload(ada, readFileSync(formatPath(file)));
      const recording = await settled(ada, id);
      expect(recording).toMatchObject({ status: 'COMPLETED', statusReason: null });
      const { page } = await openPage(browser);
      await page.route('**/page', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<body></body>' }),
      );
      await page.goto(new URL('/page', recording.hlsUrl).href);
      await page.addScriptTag({ path: 'node_modules/hls.js/dist/hls.min.js' });
      for (const [url, hls] of [
        [recording.hlsUrl, true],
        [recording.hlsUrl, false],
        [recording.videoUrl, false],
      ]) {
        const played: { duration: number } = await page.evaluate(
          `(${PLAY})(${JSON.stringify({ url, hls })})`,
        );
        expect(played).toMatchObject({ outcome: 'ended', errors: [] });
        expect(Math.abs(played.duration - seconds)).toBeLessThan(0.15);
      }
      await page.close();
    },
    60_000,
  );
});
