import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { keyOf, transcript, user } from '../factories/workspace.js';
import { pagesOfTests, until, violations, type WatchedPage } from '../support/browser.js';
import type { Client } from '../support/client.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';
import { created } from '../support/uploads.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const SUMMARY = {
  content: '## Decisions\n\n- Ship it',
  topics: [
    { title: 'Numbers', start: 10, keyPoints: [{ point: 'Up six per cent', start: 12, details: [] }] },
    { title: 'Cafeteria', start: 1200, keyPoints: [] },
  ],
};

CHROMIUM.describe('the share page of a meeting without media in a browser', () => {
  let service: TestService;
  const open = pagesOfTests();
  let ada: Client;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  async function meeting(parts: { transcript?: object; summary?: object }): Promise<string> {
    const { id } = await created(ada, { title: 'Board call', media: 'none' });
    const headers = { 'content-type': 'application/json' };
    for (const [part, content] of Object.entries(parts)) {
      const body = JSON.stringify(content);
      expect((await ada.request('PUT', `/recordings/${id}/${part}`, { body, headers })).status).toBe(200);
    }
    const { body } = await ada.post(`/recordings/${id}/share-link`, { permission: 'download' });
    return `/s/${body.data.share_token}`;
  }
  async function visit(path: string, options: BrowserContextOptions = DESKTOP): Promise<WatchedPage> {
    const watched = await open(options);
    await watched.page.goto(service.api.base + path);
    return watched;
  }
  const complete = (rows = 900) => meeting({ transcript: transcript(rows), summary: SUMMARY });
  const loaded = (page: Page, rows = 900) =>
    until(page, `document.querySelectorAll('.rows li').length === ${rows}`);

  it('has no player: transcript and summary share the window', async () => {
    const { page, complaints } = await visit(await complete());
    await loaded(page);
    expect(await page.locator('video, #stage, .screen').count()).toBe(0);
    for (const name of ['Keyboard shortcuts', 'Copy link', 'Speed'])
      expect(await page.getByText(name).count()).toBe(0);
    await page.getByRole('heading', { name: 'Decisions' }).waitFor();
    const panel = (await page.locator('#transcript').boundingBox())!;
    expect([panel.y, panel.height]).toEqual([0, 800]);
    expect(panel.width).toBeGreaterThanOrEqual(640);
    await page.getByText('Duration 29:59').waitFor();
    await page.getByText('No audio or video').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('times of the transcript are not links, also of the rows that the script loads', async () => {
    const { page } = await visit(await complete());
    await loaded(page);
    expect(await page.locator('.rows a').count()).toBe(0);
    expect(await page.locator('.rows li > span').count()).toBe(900);
    const before = page.url();
    await page.getByText('Sentence 3', { exact: true }).click();
    expect(page.url()).toBe(before);
    expect(await page.locator('.rows li[aria-current]').count()).toBe(0);
  });

  it('a chapter leads to its passage', async () => {
    const { page } = await visit(await complete());
    await loaded(page);
    await page.getByRole('link', { name: 'Cafeteria' }).click();
    await page.locator('.rows li[aria-current]').getByText('Sentence 600', { exact: true }).waitFor();
    await until(
      page,
      `(() => { const b = document.querySelector('.rows li[aria-current]').getBoundingClientRect();
        return b.top >= 0 && b.bottom <= innerHeight; })()`,
    );
    expect(await page.getByText('Resume auto-scroll').count()).toBe(0);
  });

  it('is accessible and fits a phone', async () => {
    const { page } = await visit(await complete(60), PHONE);
    await loaded(page, 60);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations(page)).toEqual([]);
  });
});
