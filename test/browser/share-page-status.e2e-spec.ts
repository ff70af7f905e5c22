import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { keyOf, recording, user } from '../factories/workspace.js';
import { openBrowser, openPage, type WatchedPage } from '../support/browser.js';
import type { Client } from '../support/client.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';
import { created, demoVideo, RawTus } from '../support/uploads.js';

CHROMIUM.describe('the status on a share page in a browser', () => {
  let service: TestService;
  let ada: Client;
  let browser: Browser;
  let opened: WatchedPage[] = [];
  const unread = recording('Ada', { media: 'film.mp4' });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')], recordings: [unread] }, { 'film.mp4': demoVideo() });
    ada = service.api.as(keyOf('Ada'));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  afterEach(async () => {
    for (const { page } of opened) await page.context().close();
    opened = [];
  });

  async function visit(id: string): Promise<WatchedPage> {
    const { body } = await ada.post(`/recordings/${id}/share-link`, { permission: 'download' });
    const watched = await openPage(browser);
    opened.push(watched);
    await watched.page.goto(`${service.api.base}/s/${body.data.share_token}`);
    return watched;
  }

  it('says so when there is no transcript', async () => {
    const { page } = await visit(unread.id);
    await page
      .getByText(`This recording doesn't have a transcript. You can still watch the video.`)
      .waitFor();
    await page.getByRole('link', { name: 'Download video' }).waitFor();
  });

  it('updates the status without a reload', async () => {
    const { id } = await created(ada);
    await ada.patch(`/recordings/${id}`, { status: 'WAIT_APPROVAL' });
    const { page, complaints } = await visit(id);
    const says = async (title: string) => {
      // A page that becomes visible again checks immediately.
      await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
      await page.getByRole('status').getByText(title, { exact: true }).waitFor();
    };
    await page.getByRole('status').getByText('Waiting to start', { exact: true }).waitFor();
    await page.evaluate('globalThis.isSamePage = true');
    await new RawTus(ada, id).patch(0, demoVideo().subarray(0, 20_000));
    await says('Uploading recording');
    expect(await page.getByRole('progressbar').count()).toBe(0);
    await service.dataSource.query(
      `UPDATE recordings SET status = 'PROCESSING', progress = 0.6 WHERE id = $1`,
      [id],
    );
    await says('Processing recording');
    await page.getByText('60%', { exact: true }).waitFor();
    expect(await page.getByRole('progressbar').getAttribute('value')).toBe('60');
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    const { body } = await ada.get(`/recordings/${id}/share-links`);
    expect(body.data[0].view_count).toBe(1);
    expect(complaints).toEqual([]);
    await ada.delete(`/recordings/${id}/share-links/${body.data[0].id}`);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByRole('heading', { name: "This link isn't available" }).waitFor();
  });
});
