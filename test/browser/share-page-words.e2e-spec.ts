import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { keyOf, transcript, user } from '../factories/workspace.js';
import { pagesOfTests, until, violations, type WatchedPage } from '../support/browser.js';
import type { Client } from '../support/client.js';
import { CHROMIUM } from '../support/requirements.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { created } from '../support/uploads.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const SUMMARY = {
  content: '## Decisions\n\n- Ship it',
  topics: [
    { title: 'Numbers', start: 10, keyPoints: [{ point: 'Up six per cent', start: 12, details: [] }] },
    { title: 'Cafeteria', start: 400, keyPoints: [] },
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

  async function meeting(
    parts: { transcript?: object; summary?: object },
    title = 'Board call',
  ): Promise<string> {
    const { id } = await created(ada, { title, media: 'none' });
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
  const complete = (rows = 300) => meeting({ transcript: transcript(rows), summary: SUMMARY });
  const loaded = (page: Page, rows = 300) =>
    until(page, `document.querySelectorAll('.rows li').length === ${rows}`);

  it('has no player: transcript and summary share the window', async () => {
    const { page, complaints } = await visit(await complete());
    await loaded(page);
    expect(await page.locator('video, #stage, .screen').count()).toBe(0);
    for (const name of ['Speed', 'Captions', 'Resume auto-scroll', 'Play or pause'])
      expect(await page.getByText(name).count()).toBe(0);
    await page.getByRole('heading', { name: 'Decisions' }).waitFor();
    const panel = (await page.locator('#transcript').boundingBox())!;
    expect([panel.y, panel.height]).toEqual([0, 800]);
    expect(panel.width).toBeGreaterThanOrEqual(640);
    await page.getByText('Duration 9:59').waitFor();
    await page.getByText('No audio or video').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.each<[string, BrowserContextOptions]>([
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ])('leads on %s from a chapter, a key point or a time to the passage, and marks it', async (_, options) => {
    const { page, complaints } = await visit(await complete(), options);
    await loaded(page);
    const passage = async (text: string): Promise<void> => {
      const row = page.locator('.rows li[aria-current]');
      await row.getByText(text, { exact: true }).waitFor();
      await eventually(async () => {
        const [{ y, height }, panel] = [
          (await row.boundingBox())!,
          (await page.locator('#rows').boundingBox())!,
        ];
        expect(y).toBeGreaterThanOrEqual(Math.max(0, panel.y));
        expect(y + height).toBeLessThanOrEqual(options.viewport!.height);
      });
      expect(await row.locator('a').evaluate((link) => link.matches(':focus'))).toBe(true);
    };
    await page.getByRole('link', { name: 'Cafeteria' }).click();
    await passage('Sentence 200');
    expect(new URL(page.url()).hash).toBe('#t=400');
    await page.locator('.topics summary').click();
    await page.getByRole('link', { name: '0:12', exact: true }).first().click();
    await passage('Sentence 6');
    await page.locator('.rows').getByRole('link', { name: '0:16', exact: true }).click();
    await passage('Sentence 8');
    await page.evaluate(`scrollTo(0, 0); location.hash = '#t=300'`);
    await page.locator('.rows li[aria-current]').getByText('Sentence 150', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('opens at the passage of the time in its URL', async () => {
    const { page } = await visit(`${await complete()}#t=400`, {
      ...PHONE,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const row = page.locator('.rows li[aria-current]');
    await row.getByText('Sentence 200', { exact: true }).waitFor();
    await eventually(async () => {
      const { y, height } = (await row.boundingBox())!;
      expect([y >= 0, y + height <= PHONE.viewport.height]).toEqual([true, true]);
    });
    await page.getByRole('button', { name: 'Copy link at 6:40' }).click();
    await page.getByText('Link copied', { exact: true }).waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/\?t=400$/);
  });

  it('has the shortcuts that fit: / searches, ? lists them; on a phone they take no room', async () => {
    const path = await complete(60);
    const { page } = await visit(path);
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(await list.locator('dd').allTextContents()).toEqual([
      'Search transcript',
      'Go to the match, or the next one',
      'Go to the previous match',
      'Show this list',
    ]);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await list.isVisible()).toBe(false);
    await page.keyboard.press('/');
    await page.keyboard.type('sentence 4');
    await page.keyboard.press('Enter');
    const row = page.locator('.rows li[aria-current]');
    await row.getByText('Sentence 4', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await row.getByText('Sentence 40', { exact: true }).waitFor();
    const phone = await visit(path, PHONE);
    expect(await phone.page.locator('#show-keys').isVisible()).toBe(false);
    await phone.page.fill('#query', 'sentence');
    const field = (await phone.page.locator('#search').boundingBox())!;
    expect(field.x + field.width).toBeLessThanOrEqual(PHONE.viewport.width - field.x);
  });

  it('shows each topic once', async () => {
    const { page } = await visit(await complete(60));
    expect(await page.locator('.about').getByText('Cafeteria', { exact: true }).count()).toBe(1);
    const untimed = { content: 'Short', topics: [{ title: 'Parking', keyPoints: [] }] };
    const other = await visit(await meeting({ transcript: transcript(3), summary: untimed }));
    await other.page.getByRole('heading', { name: 'Topics' }).waitFor();
    expect(await other.page.getByText('Parking', { exact: true }).count()).toBe(1);
  });

  it.each<[string, BrowserContextOptions]>([
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ])('wraps words of 100 letters everywhere on %s', async (_, options) => {
    const word = 'W'.repeat(100);
    const path = await meeting(
      {
        transcript: {
          language: 'en',
          segments: [{ start: 0, end: 1, speaker: word, text: word, confidence: 1 }],
        },
        summary: {
          content: word,
          topics: [{ title: word, start: 0, keyPoints: [{ point: word, start: 0, details: [word] }] }],
        },
      },
      word,
    );
    const { page } = await visit(path, options);
    await page.locator('.topics summary').click();
    const wide = await page
      .locator('body, body *')
      .evaluateAll((all) =>
        all
          .filter(
            (one) =>
              one.checkVisibility() &&
              !one.closest('.unseen, .skip') &&
              one.scrollWidth > one.clientWidth &&
              one.clientWidth > 0,
          )
          .map((one) => one.outerHTML.slice(0, 80)),
      );
    expect(wide).toEqual([]);
    // The mark of a speaker stays beside the first line of the name.
    for (const name of await page.locator('.dot').all()) {
      const [first] = await name.evaluate((element) => {
        const range = element.ownerDocument.createRange();
        range.selectNodeContents(element);
        return [...range.getClientRects()].map(({ top }) => top - element.getBoundingClientRect().top);
      });
      expect(first).toBeLessThan(8);
    }
  });

  it('is accessible and fits a phone', async () => {
    const { page } = await visit(await complete(60), PHONE);
    await loaded(page, 60);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await violations(page)).toEqual([]);
  });
});
