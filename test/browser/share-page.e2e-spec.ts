import { readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { keyOf, recording, transcript, user } from '../factories/workspace.js';
import { mute, pagesOfTests, playsOn, until, violations, type WatchedPage } from '../support/browser.js';
import type { Client } from '../support/client.js';
import { settled, upload } from '../support/packaged.js';
import { CHROMIUM } from '../support/requirements.js';
import { eventually, startService, type TestService } from '../support/service.js';

const FILM = 'demo/media/product-weekly.mp4';
const SECONDS = 261.4;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** 131 sentences of two seconds; the one at 2:00 contains words that no other does. */
const SENTENCES = Array.from({ length: 131 }, (_, index) => ({
  start: index * 2,
  end: index * 2 + 1.8,
  speaker: index % 3 === 0 ? 'Ada' : 'Grace',
  text: index === 60 ? 'Übrigens: the café opens at noon' : `Sentence number ${index}`,
  confidence: 1,
}));
const SUMMARY = {
  content: '## Decisions\n\n- **Ship** it (3:20), see [the plan](https://example.com/plan)',
  topics: [
    { title: 'Numbers', start: 10, keyPoints: [{ point: 'Up six per cent', start: 12, details: ['Good'] }] },
    { title: 'Cafeteria', start: 120, keyPoints: [{ point: 'Opens at noon', start: null, details: [] }] },
  ],
  decisions: [{ text: 'The cafeteria closes on Fridays', start: 130 }],
  actionItems: [
    { text: 'Order the beans', owner: 'Grace', due: 'by Friday', start: 150 },
    { text: 'Print the menu', done: true },
  ],
};
const NO_SOURCES = 'delete globalThis.MediaSource; delete globalThis.ManagedMediaSource';
const NO_HLS = `HTMLMediaElement.prototype.canPlayType = () => ''`;
const HOSTILE = `<img src=x onerror="alert(1)">"'><script>alert(2)</script>`;

CHROMIUM.describe('the share page in a browser', () => {
  let service: TestService;
  const open = pagesOfTests();
  let ada: Client;
  let film: string;
  const long = recording('Ada', { title: 'Long', media: 'film.mp4', transcript: transcript(3_000) });
  const hostile = recording('Ada', {
    title: HOSTILE,
    media: 'film.mp4',
    transcript: {
      language: 'en',
      segments: Array.from({ length: 150 }, (_, index) => ({
        start: index,
        end: index + 1,
        speaker: `${HOSTILE}${index % 2}`,
        text: HOSTILE,
        confidence: 1,
      })),
    },
    summary: {
      content: HOSTILE,
      topics: [{ title: HOSTILE, start: 1, keyPoints: [] }],
      decisions: [{ text: HOSTILE, start: 1 }],
      actionItems: [{ text: HOSTILE, owner: HOSTILE, due: HOSTILE, start: 2 }],
    },
  });

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    ada = service.api.as(keyOf('Ada'));
    await service.import(
      { users: [user('Ada')], recordings: [long, hostile] },
      { 'film.mp4': await readFile('demo/media/depot-walk-through.mp4') },
    );
    film = await upload(ada, await readFile(FILM), { title: 'Product weekly' });
    await settled(ada, film);
    const headers = { 'content-type': 'application/json' };
    await ada.request('PUT', `/recordings/${film}/transcript`, {
      body: { language: 'en', segments: SENTENCES },
      headers,
    });
    await ada.request('PUT', `/recordings/${film}/summary`, { body: SUMMARY, headers });
  }, 90_000);
  afterAll(() => service.stop());

  async function link(id: string, body: object = {}): Promise<{ id: string; path: string; token: string }> {
    const { data } = (await ada.post(`/recordings/${id}/share-link`, body)).body;
    return { id: data.id, path: `/s/${data.share_token}`, token: data.share_token };
  }

  async function visit(path: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
    const watched = await open(options);
    await watched.page.goto(service.api.base + path);
    return watched;
  }

  const current = (page: Page) => page.locator('#transcript li[aria-current]');
  it('plays HLS in segments, with captions from the transcript', async () => {
    const { page, complaints } = await visit((await link(film)).path);
    const segments: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/media.mp4') && response.status() === 206) segments.push(response.url());
    });
    await mute(page);
    await page.locator('video').focus();
    await page.keyboard.press('Space');
    await playsOn(page, 0);
    expect(segments.length).toBeGreaterThan(0);
    const captions = page.getByRole('button', { name: 'Captions' });
    expect(await captions.getAttribute('aria-pressed')).toBe('false');
    await page.keyboard.press('c');
    expect(await captions.getAttribute('aria-pressed')).toBe('true');
    const seen = await page.evaluate(`(async () => {
      const video = document.querySelector('video');
      const element = video.querySelector('track');
      const { track } = element;
      while (element.readyState < element.LOADED) await new Promise((resolve) => setTimeout(resolve, 50));
      return { duration: video.duration, width: video.videoWidth, mode: track.mode, kind: track.kind, cues: track.cues.length, first: track.cues[0].text };
    })()`);
    expect(seen).toEqual({
      duration: expect.closeTo(SECONDS, 0),
      width: 960,
      mode: 'showing',
      kind: 'captions',
      cues: 131,
      first: '<v Ada>Sentence number 0</v>',
    });
    await captions.click();
    await until(page, `document.querySelector('track').track.mode === 'disabled'`);
    expect(await captions.getAttribute('aria-pressed')).toBe('false');
    expect(complaints).toEqual([]);
  });

  it.each([
    [
      "the browser's own HLS, with its captions, without Media Source Extensions",
      NO_SOURCES,
      /master\.m3u8$/,
      0,
    ],
    [
      'the video file, with captions of the page, without any HLS',
      `${NO_SOURCES}; ${NO_HLS}`,
      /\/video\?/,
      1,
    ],
  ])('plays %s', async (_, before, source, tracks) => {
    const watched = await open();
    const { page, complaints } = watched;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.addInitScript(before);
    await page.goto(`${service.api.base}${(await link(film)).path}#t=120`);
    await mute(page);
    await page.keyboard.press('k');
    await playsOn(page, 120);
    expect(await page.evaluate('document.querySelector("video").currentSrc')).toMatch(source);
    expect(asked.filter((url) => url.includes('hls.js'))).toEqual([]);
    expect(await page.locator('video track').count()).toBe(tracks);
    expect(complaints).toEqual([]);
  });

  it('jumps to a clicked sentence or chapter, marks it and puts its time in the URL; then takes shortcuts', async () => {
    const { page, complaints } = await visit((await link(film)).path);
    await mute(page);
    await page.getByText('Sentence number 40', { exact: true }).click();
    await playsOn(page, 80);
    await until(
      page,
      `document.querySelector('#transcript li[aria-current]')?.textContent.includes('number 4')`,
    );
    expect(new URL(page.url()).hash).toBe('#t=80');
    const chapters = page.getByRole('region', { name: 'Chapters' });
    await chapters.getByRole('link', { name: /Cafeteria/ }).click();
    await playsOn(page, 120);
    expect(await chapters.locator('[aria-current]').textContent()).toContain('Cafeteria');
    // The link keeps the focus, and the shortcuts work.
    const video = page.locator('video');
    const read = <T>(field: string): Promise<T> => page.evaluate(`document.querySelector('video').${field}`);
    await page.keyboard.press('Space');
    expect(await read('paused')).toBe(true);
    await page.keyboard.press('m');
    expect(await read('muted')).toBe(false);
    for (const focused of [chapters.getByRole('link').first(), video]) {
      const before = await read<number>('currentTime');
      await focused.focus();
      await page.keyboard.press('ArrowRight');
      expect(await read('currentTime')).toBeCloseTo(before + 5, 1);
    }
    await page.keyboard.press('f');
    await until(page, 'document.fullscreenElement?.id === "video"');
    await page.keyboard.press('f');
    await until(page, 'document.fullscreenElement === null');
    expect(complaints).toEqual([]);
  });

  it.each([
    ['#t=3:20.5', 200.5],
    ['?t=1m30s', 90],
  ])('opens at the time in the URL: %s', async (hash, seconds) => {
    const { page, complaints } = await visit((await link(film)).path + hash);
    await until(page, `Math.abs(document.querySelector('video').currentTime - ${seconds}) < 0.5`);
    await expectInSight(current(page));
    expect(complaints).toEqual([]);
  });

  it('scrolls with playback until the reader scrolls; a button resumes it', async () => {
    const { page, complaints } = await visit((await link(film)).path);
    await mute(page);
    const follow = page.getByRole('button', { name: 'Resume auto-scroll' });
    await page.evaluate(`location.hash = '#t=100'`);
    await expectInSight(current(page));
    expect(await follow.isVisible()).toBe(false);
    await page.locator('#rows').hover();
    await page.mouse.wheel(0, 4_000);
    await follow.waitFor();
    // Beside the title of the panel, where it covers nothing.
    const [button, rows] = [(await follow.boundingBox())!, (await page.locator('#rows').boundingBox())!];
    expect(button.y + button.height).toBeLessThanOrEqual(rows.y);
    // Otherwise the player would still seek to 100 s once the media has loaded.
    await until(page, `document.querySelector('video').readyState > 0`);
    await page.evaluate(`document.querySelector('video').currentTime = 30`);
    await until(
      page,
      `document.querySelector('#transcript li[aria-current]')?.textContent.includes('number 15')`,
    );
    expect(await isInSight(current(page))).toBe(false);
    await follow.click();
    await expectInSight(current(page));
    expect(await follow.isVisible()).toBe(false);
    // So does a jump into the sentence that is already the current one.
    await page.locator('#rows').hover();
    await page.mouse.wheel(0, 4_000);
    await follow.waitFor();
    await page.evaluate(`location.hash = '#t=30.5'`);
    await expectInSight(current(page));
    expect(await follow.isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('searches, and plays from a match that the reader goes to, not while they type or have paused', async () => {
    const { page, complaints } = await visit((await link(film)).path);
    await mute(page);
    const field = page.getByRole('searchbox', { name: 'Search transcript' });
    await field.fill('sentence number 4');
    await expectText(page, '#count', '1 of 11');
    expect(await page.evaluate(`document.querySelector('video').readyState`)).toBe(0);
    await field.press('Enter');
    await playsOn(page, 8);
    expect(await page.getByRole('button', { name: 'Resume auto-scroll' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Next match' }).click();
    await playsOn(page, 80);
    await page.evaluate(`document.querySelector('video').pause()`);
    await field.press('Enter');
    await until(page, `Math.abs(document.querySelector('video').currentTime - 82) < 0.5`);
    await current(page).getByText('Sentence number 41', { exact: true }).waitFor();
    expect(await page.evaluate(`document.querySelector('video').paused`)).toBe(true);
    // All of the transcript, ignoring case and accents.
    await field.fill('"CAFE OPENS"');
    await expectText(page, '#count', '1 of 1');
    expect(await page.locator('#transcript mark').allTextContents()).toEqual(['café opens']);
    await expectInSight(page.locator('#transcript mark'));
    await field.fill('opens cafe');
    await until(page, `document.querySelectorAll('#transcript mark.now').length === 2`);
    expect(await page.locator('#transcript mark').allTextContents()).toEqual(['café', 'opens']);
    await field.fill('"opens cafe"');
    await expectText(page, '#count', 'No matches');
    await field.fill('sentence number 1');
    await expectText(page, '#count', '1 of 42');
    await field.press('Enter');
    await expectText(page, '#count', '1 of 42');
    await field.press('Enter');
    await expectText(page, '#count', '2 of 42');
    await page.getByRole('button', { name: 'Previous match' }).click();
    await field.press('Shift+Enter');
    await expectText(page, '#count', '42 of 42');
    await field.fill('nowhere to be found');
    await expectText(page, '#count', 'No matches');
    await field.press('Escape');
    expect(await page.locator('#transcript mark').count()).toBe(0);
    expect(await field.inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });

  it('copies a link to the current time, and jumps to times in the summary', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { path } = await link(film);
    const { page, complaints } = await visit(path, { permissions });
    await mute(page);
    const item = page.getByRole('listitem').filter({ hasText: 'Order the beans' });
    expect(await item.innerText()).toBe('Grace: Order the beans (by Friday) 2:30');
    await item.getByRole('link', { name: '2:30' }).click();
    await playsOn(page, 150);
    await page.locator('.prose').getByRole('link', { name: '3:20' }).click();
    await playsOn(page, 200);
    await page.keyboard.press('k');
    await page.getByRole('button', { name: /Copy link/ }).click();
    await page.getByText('Link copied', { exact: true }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(new RegExp(`^${service.api.base}${path}\\?t=20\\d$`));
    expect(complaints).toEqual([]);
  });

  it('offers video and transcript downloads only if the link permits them', async () => {
    const view = await visit((await link(film)).path);
    expect(await view.page.getByText('Download', { exact: true }).count()).toBe(0);
    expect(await view.page.getByText("Downloading isn't available with this link.").isVisible()).toBe(true);
    const { page, complaints } = await visit((await link(film, { permission: 'download' })).path);
    await page.getByText('Download', { exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Video', exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Product weekly.mp4');
    expect((await stat(await download.path())).size).toBe((await stat(FILM)).size);
    const file = await page.evaluate(
      `fetch(document.querySelector('a[href*="transcript?format=srt"]').href).then((r) => r.text())`,
    );
    expect(file).toMatch(/^1\n00:00:00,000 --> 00:00:01,800\n/);
    expect(complaints).toEqual([]);
  });

  it('requires the password, and opens with the right one', async () => {
    const { path } = await link(long.id, { permission: 'download', password: 'open sesame' });
    const { page, complaints } = await visit(`${path}?utm_source=mail#t=4`);
    expect(await page.content()).not.toContain('Sentence');
    const field = page.getByLabel('Password');
    await field.fill('wrong');
    await field.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('Incorrect password. Please try again.');
    expect(await violations(page)).toEqual([]);
    // The browser itself logs a 403 response.
    expect(complaints.splice(0).join()).toMatch(/403/);
    await page.getByLabel('Password').fill('open sesame');
    await page.keyboard.press('Enter');
    await page.getByText('Sentence 0', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('Sentence 2999', { exact: true }).waitFor({ state: 'attached' });
    expect(complaints).toEqual([]);
  });

  it('loads a transcript of 3,000 sentences and renders only those near the view', async () => {
    const { page, complaints } = await visit((await link(long.id)).path);
    await page.getByText('Sentence 2999', { exact: true }).waitFor({ state: 'attached' });
    expect(await page.locator('#transcript li').count()).toBe(3_000);
    const texts = await page.locator('#transcript li p').allTextContents();
    expect(texts).toEqual(Array.from({ length: 3_000 }, (_, index) => `Sentence ${index}`));
    const group = `[...document.querySelectorAll('#transcript ol')].at(-1)`;
    expect(await page.evaluate(`getComputedStyle(${group}).contentVisibility`)).toBe('auto');
    await page.getByRole('searchbox').fill('sentence 2999');
    await expectInSight(page.getByText('Sentence 2999', { exact: true }));
    expect(complaints).toEqual([]);
  });

  it('closes when media is requested after the link was revoked', async () => {
    const { id, path } = await link(film);
    const { page } = await visit(path);
    await mute(page);
    // On a fast machine, all of the film would be buffered before the link is revoked.
    let revoked = (): void => undefined;
    const revocation = new Promise<void>((resolve) => (revoked = resolve));
    await page.route('**/media.mp4', async (route) => {
      const [, first] = /^bytes=(\d+)-/.exec(route.request().headers()['range'] ?? '') ?? [];
      if (Number(first) > 200_000) await revocation;
      await route.continue();
    });
    await page.getByText('Sentence number 0', { exact: true }).click();
    await playsOn(page, 0);
    expect((await ada.delete(`/recordings/${film}/share-links/${id}`)).status).toBe(200);
    revoked();
    await page.evaluate(`location.hash = '#t=250'`);
    await page.getByRole('heading', { name: "This link isn't available" }).waitFor({ timeout: 20_000 });
    expect(await violations(page)).toEqual([]);
  });

  it('shows hostile titles, names and sentences as plain text', async () => {
    const { page, complaints } = await visit((await link(hostile.id)).path);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await until(page, `document.querySelectorAll('#transcript li').length === 150`);
    expect(await page.title()).toBe(HOSTILE);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(HOSTILE);
    expect(await page.locator('#transcript li p').last().textContent()).toBe(HOSTILE);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(dialogs).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('can be read and played without scripts', async () => {
    const { page } = await visit((await link(film)).path, { javaScriptEnabled: false });
    expect(await page.getByText('Sentence number 0', { exact: true }).isVisible()).toBe(true);
    expect(await page.getByText('Ship').isVisible()).toBe(true);
    const address = await page.locator('video').getAttribute('src');
    expect((await fetch(service.api.base + address, { headers: { range: 'bytes=0-9' } })).status).toBe(206);
    await page.getByRole('link', { name: 'Later in this transcript' }).click();
    expect(await page.getByText('Sentence number 130', { exact: true }).isVisible()).toBe(true);
  });

  it.each<[string, BrowserContextOptions]>([
    ['on a wide screen', {}],
    ['on a phone in the dark', { ...PHONE, colorScheme: 'dark' }],
  ])('has no axe violations %s, also while searching', async (_, options) => {
    const { page, complaints } = await visit((await link(film, { permission: 'download' })).path, options);
    await page.getByText('Sentence number 130', { exact: true }).waitFor({ state: 'attached' });
    for (const details of await page.locator('details').all())
      await details.evaluate((element) => element.setAttribute('open', ''));
    expect(await violations(page)).toEqual([]);
    await page.getByRole('searchbox').fill('number');
    await expectText(page, '#count', '1 of 130');
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('lists its shortcuts and lets the reader turn them off', async () => {
    const { page } = await visit((await link(film)).path);
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
    expect(await page.locator('#keys dd').allTextContents()).toEqual([
      'Play or pause',
      'Back 5 seconds',
      'Forward 5 seconds',
      'Back 10 seconds',
      'Forward 10 seconds',
      'Mute or unmute',
      'Full screen',
      'Captions on or off',
      'Search transcript',
      'Go to the match, or the next one',
      'Go to the previous match',
      'Show this list',
    ]);
    await page.getByLabel('Enable keyboard shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement?.id')).not.toBe('query');
  });
});

async function expectText(page: Page, selector: string, text: string): Promise<void> {
  const found = page.locator(selector);
  await eventually(async () => expect((await found.textContent())?.trim()).toBe(text));
}

interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
}
interface Shown {
  getBoundingClientRect(): Box;
  contains(other: unknown): boolean;
}

function isInSight(locator: ReturnType<Page['locator']>): Promise<boolean> {
  return locator.evaluate((element) => {
    const shown = element as unknown as Shown;
    const { top, bottom, left } = shown.getBoundingClientRect();
    const { document } = globalThis as unknown as {
      document: { elementFromPoint(x: number, y: number): Shown | null };
    };
    const on = document.elementFromPoint(left + 5, (top + bottom) / 2);
    return on !== null && (shown.contains(on) || on.contains(shown));
  });
}

async function expectInSight(locator: ReturnType<Page['locator']>): Promise<void> {
  await locator.waitFor();
  await eventually(async () => expect(await isInSight(locator)).toBe(true));
}
