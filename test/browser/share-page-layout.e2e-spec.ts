import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { readTranscriptText } from '../../src/lib/transcript-formats/transcript-formats.js';
import { keyOf, recording, user } from '../factories/workspace.js';
import { pagesOfTests, until, type WatchedPage } from '../support/browser.js';
import { CHROMIUM } from '../support/requirements.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { INCLUDED_MEETINGS } from '../support/test-data.js';
import { demoVideo } from '../support/uploads.js';

const TOUCH = { hasTouch: true, isMobile: true };
const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, ...TOUCH };
const LANDSCAPE = { viewport: { width: 844, height: 390 }, ...TOUCH };
/** 1280x800 at 200 %. */
const ZOOMED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };

const SUMMARY = {
  content: '## Decisions\n\n- Ship it (3:20)',
  topics: Array.from({ length: 8 }, (_, index) => ({
    title: `Topic ${index}`,
    start: index * 60,
    keyPoints: [{ point: 'Discussed at length', start: null, details: [] }],
  })),
};

/** 700 segments: those of a real call, twice, and so many times as fast. */
function longTranscript(speed = 1): object {
  const { segments } = readTranscriptText(INCLUDED_MEETINGS[0]!.captions(), {
    contentType: 'text/vtt',
  });
  const end = segments.at(-1)?.end ?? 0;
  const again = segments.map((segment) => ({
    ...segment,
    start: segment.start + end,
    end: segment.end + end,
  }));
  const said = [...segments, ...again, ...segments].slice(0, 700);
  return {
    language: 'en',
    segments: said.map((one) => ({ ...one, start: one.start / speed, end: one.end / speed })),
  };
}

CHROMIUM.describe('the layout of the share page', () => {
  let service: TestService;
  const open = pagesOfTests();
  const call = recording('Ada', {
    title: 'All Core Devs Consensus, call 174',
    media: 'film.mp4',
    transcript: longTranscript(),
    summary: SUMMARY,
  });
  /** As long as the film. */
  const quick = recording('Ada', {
    media: 'film.mp4',
    transcript: longTranscript(400),
    summary: SUMMARY,
  });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')], recordings: [call, quick] }, { 'film.mp4': demoVideo() });
  });
  afterAll(() => service.stop());

  async function visit(id: string, options: BrowserContextOptions): Promise<WatchedPage> {
    const { data } = (
      await service.api.as(keyOf('Ada')).post(`/recordings/${id}/share-link`, { permission: 'download' })
    ).body;
    const watched = await open(options);
    await watched.page.goto(`${service.api.base}/s/${data.share_token}`);
    return watched;
  }
  const allRows = (page: Page): Promise<void> =>
    until(page, `document.querySelectorAll('#transcript li').length === 700`);
  const box = async (page: Page, selector: string) => (await page.locator(selector).boundingBox())!;

  it.each([
    ['on a phone', PHONE, 3],
    ['at 200 %', ZOOMED, 6],
    ['on a desk', DESK, 2],
  ])('keeps the page to a few screens %s, with 700 segments in the panel', async (_, options, screens) => {
    const { page, complaints } = await visit(call.id, options);
    await allRows(page);
    const { height, width } = options.viewport;
    const size = await page.evaluate<{ height: number; width: number }>(
      '({ height: document.documentElement.scrollHeight, width: document.documentElement.scrollWidth })',
    );
    expect(size.height).toBeLessThanOrEqual(height * screens);
    expect(size.width).toBe(width);
    expect((await box(page, '#transcript')).height).toBeLessThanOrEqual(height);
    await page.locator('#transcript').evaluate((panel) => panel.scrollIntoView({ block: 'end' }));
    // Rows get their true height when they are rendered.
    await eventually(async () => {
      await page.locator('#rows').evaluate((list) => list.scrollTo(0, list.scrollHeight));
      const [last, panel] = [
        await box(page, '#transcript ol:last-of-type li:last-child'),
        await box(page, '#rows'),
      ];
      expect(last.y + last.height).toBeLessThanOrEqual(panel.y + panel.height);
      expect(last.y).toBeGreaterThanOrEqual(panel.y);
    });
    expect(complaints).toEqual([]);
  });

  it('keeps the links to its parts below the video on a phone, and marks the part in view', async () => {
    const { page } = await visit(call.id, PHONE);
    await allRows(page);
    const links = page.getByRole('navigation', { name: 'On this page' });
    for (const name of ['Transcript', 'Summary', 'Chapters', 'Transcript']) {
      await links.getByRole('link', { name }).click();
      await links.locator('[aria-current]').getByText(name).waitFor();
      const [video, bar] = [await box(page, '#video'), await box(page, '.jumps')];
      expect(bar.y).toBeCloseTo(video.y + video.height, 0);
      const part = await box(page, `#${name === 'Chapters' ? 'topics' : name.toLowerCase()}`);
      expect(part.y).toBeGreaterThanOrEqual(bar.y + bar.height - 1);
    }
  });

  it.each([
    ['on a phone', PHONE],
    ['on a phone in landscape', LANDSCAPE],
    ['at 400 %', { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }],
    ['on a desk', DESK],
  ])('shows the whole video %s, with nothing covering it', async (_, options) => {
    const { page } = await visit(call.id, options);
    await allRows(page);
    const { width, height } = options.viewport;
    const video = await box(page, '#video');
    expect(video.x).toBeGreaterThanOrEqual(0);
    expect(video.y).toBeGreaterThanOrEqual(0);
    expect(video.x + video.width).toBeLessThanOrEqual(width);
    expect(video.y + video.height).toBeLessThanOrEqual(height);
    expect(video.height).toBeGreaterThan(150);
    const covered = await page.evaluate(`(() => {
      const video = document.querySelector('video');
      const { left, right, top, bottom } = video.getBoundingClientRect();
      return [[left + 20, top + 20], [right - 20, top + 20], [left + 20, bottom - 20], [right - 20, bottom - 20]]
        .filter(([x, y]) => document.elementFromPoint(x, y) !== video).length;
    })()`);
    expect(covered).toBe(0);
  });

  it('keeps the current row in view in the panel, even before the panel is scrolled into view', async () => {
    const { page } = await visit(quick.id, PHONE);
    await allRows(page);
    for (const moment of ['#t=7.5', '#t=15', '#t=1.25']) {
      await page.evaluate(`scrollTo(0, 0); location.hash = '${moment}'`);
      await page.locator('#transcript li[aria-current]').waitFor({ state: 'attached' });
      expect(await page.evaluate('scrollY')).toBe(0);
      expect((await box(page, '#transcript')).y).toBeGreaterThan(844);
      await page.evaluate(`document.getElementById('transcript').scrollIntoView({ block: 'end' })`);
      await eventually(async () => {
        const [row, panel] = [await box(page, '#transcript li[aria-current]'), await box(page, '#rows')];
        expect(row.y).toBeGreaterThanOrEqual(panel.y);
        expect(row.y + row.height).toBeLessThanOrEqual(panel.y + panel.height);
      });
      expect(await page.getByRole('button', { name: 'Resume auto-scroll' }).isVisible()).toBe(false);
    }
  });
});
