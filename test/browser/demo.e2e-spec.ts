import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { ApiKeysService } from '../../src/modules/api-keys/api-keys.service.js';
import { WorkspaceImportService } from '../../src/modules/workspace/workspace-import.service.js';
import { WorkspaceReaderService } from '../../src/modules/workspace/workspace-reader.service.js';
import { openBrowser, openPage } from '../support/browser.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';

const AMARA = '019c1d5d-9c00-7a01-8a00-5eed0000a001';
const WEEKLY = '01a1edfd-ddc0-7c01-8c00-5eed0000c001';

CHROMIUM.describe('the demo workspace in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let key: string;

  beforeAll(async () => {
    service = await startService();
    const workspace = await service.app.get(WorkspaceReaderService).read('demo/workspace.json');
    await service.app.get(WorkspaceImportService).import(workspace);
    ({ key } = await service.app.get(ApiKeysService).create(AMARA, { name: 'test' }));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it('videoUrl plays, and a seek to the middle goes on from there', async () => {
    const { body } = await service.api.as(key).get(`/recordings/${WEEKLY}`);
    const { page, complaints } = await openPage(browser);
    await page.goto(body.data.videoUrl);
    const played = await page.evaluate(`(async () => {
      const video = document.querySelector('video');
      video.muted = true;
      await video.play();
      const middle = video.duration / 2;
      video.currentTime = middle;
      await new Promise((done) => video.addEventListener('seeked', done, { once: true }));
      await new Promise((done) => video.addEventListener('timeupdate', () => video.currentTime > middle && done()));
      return { duration: video.duration, width: video.videoWidth, error: video.error };
    })()`);
    expect(played).toEqual({ duration: expect.closeTo(261.4, 0), width: 960, error: null });
    expect(complaints).toEqual([]);
  });

  it('Swagger UI keeps a key over a reload, and "Try it out" works as it stands', async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${service.api.base}/docs`);
    await page.click('.btn.authorize');
    await page.fill('.modal-ux input', key);
    await page.click('.modal-ux .btn.authorize');
    await page.reload();
    for (const operation of ['listRecordings', 'getRecording']) {
      await page.click(`#operations-Recordings-${operation} .opblock-summary-control`);
      await page.click(`#operations-Recordings-${operation} .btn.execute`);
      const status = page.locator(
        `#operations-Recordings-${operation} .live-responses-table tbody .response-col_status`,
      );
      expect((await status.first().textContent())?.trim()).toBe('200');
    }
    expect(complaints).toEqual([]);
  });
});
