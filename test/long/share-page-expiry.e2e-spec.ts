import { readFile, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { keyOf, user } from '../factories/workspace.js';
import { mute, openBrowser, openPage, playsOn, type WatchedPage } from '../support/browser.js';
import type { Client } from '../support/client.js';
import { settled, upload } from '../support/packaged.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';

const FILM = 'demo/media/product-weekly.mp4';
/** Lifetime of media URLs, in seconds. */
const TTL = 10;
/** 131 segments of two seconds each. */
const SEGMENTS = Array.from({ length: 131 }, (_, index) => ({
  start: index * 2,
  end: index * 2 + 1.8,
  speaker: 'Ada',
  text: `Sentence number ${index}`,
}));

CHROMIUM.describe('an open share page', () => {
  let service: TestService;
  let browser: Browser;
  let ada: Client;
  let film: string;
  let opened: WatchedPage[] = [];

  beforeAll(async () => {
    service = await startService({ MEDIA_URL_TTL: String(TTL) }, { worker: true });
    ada = service.api.as(keyOf('Ada'));
    await service.import({ users: [user('Ada')] });
    film = await upload(ada, await readFile(FILM), { title: 'Product weekly' });
    await settled(ada, film);
    const headers = { 'content-type': 'application/json' };
    const body = { language: 'en', segments: SEGMENTS };
    await ada.request('PUT', `/recordings/${film}/transcript`, { body, headers });
    browser = await openBrowser();
  }, 90_000);
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  afterEach(async () => {
    for (const { page } of opened) await page.context().close();
    opened = [];
  });

  async function visit(body: object = {}): Promise<WatchedPage> {
    const { data } = (await ada.post(`/recordings/${film}/share-link`, body)).body;
    const watched = await openPage(browser);
    opened.push(watched);
    await watched.page.goto(`${service.api.base}/s/${data.share_token}`);
    return watched;
  }

  it('closes when the link expires', async () => {
    const { page } = await visit({ expires_at: new Date(Date.now() + 8_000).toISOString() });
    await page.getByText('Sentence number 0', { exact: true }).waitFor();
    await page.getByRole('heading', { name: "This link isn't available" }).waitFor();
    expect(await page.locator('video').count()).toBe(0);
    expect(await page.content()).not.toContain('Sentence');
  });

  it('fetches new media URLs when its own have expired, and continues at the same position', async () => {
    const { page } = await visit();
    await mute(page);
    await page.getByText('Sentence number 5', { exact: true }).click();
    await playsOn(page, 10);
    await setTimeout(TTL * 1_000 + 500);
    await page.evaluate(`location.hash = '#t=240'`);
    await playsOn(page, 240);
  });

  it('can still download after being open for long', async () => {
    const { page, complaints } = await visit({ permission: 'download' });
    await setTimeout(TTL * 1_000 + 500);
    await page.getByText('Download', { exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Video', exact: true }).click(),
    ]);
    expect((await stat(await download.path())).size).toBe((await stat(FILM)).size);
    expect(complaints).toEqual([]);
  });
});
