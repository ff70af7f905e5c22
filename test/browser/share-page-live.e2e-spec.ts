import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import { ContentService } from '../../src/modules/pipeline/content.service.js';
import { TranscriptsService } from '../../src/modules/transcripts/transcripts.service.js';
import { pagesOfTests, until, violations } from '../support/browser.js';
import type { Client } from '../support/client.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';
import { created, demoVideo, RawTus } from '../support/uploads.js';

const HOSTILE = `<img src=x onerror="alert(1)">`;

CHROMIUM.describe('the share page of a meeting in progress', () => {
  let service: TestService;
  let ada: Client;
  const open = pagesOfTests();

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  /** A meeting to which this test listens in place of a worker. */
  async function begun() {
    const { id } = await created(ada);
    const tus = new RawTus(ada, id);
    await tus.patch(0, demoVideo().subarray(0, 20_000));
    const job = { recordingId: id, attempt: randomUUID() };
    const content = service.app.get(ContentService);
    expect(await service.dataSource.transaction((manager) => content.beginLive(manager, job))).toBe(true);
    const { share_token: token } = (
      await ada.post(`/recordings/${id}/share-link`, { permission: 'download' })
    ).body.data;
    const hear = (texts: readonly string[]) =>
      service.app.get(TranscriptsService).saveDraft(
        job,
        {
          progress: 0,
          segments: texts.map((text, start) => {
            return { start, end: start + 1, text, speaker: '', confidence: 1 };
          }),
          state: null,
        },
        [],
      );
    return { id, tus, hear, url: `${service.api.base}/s/${token}` };
  }
  const sentences = (count: number, last = 'The end of what was said') => [
    HOSTILE,
    ...Array.from({ length: count - 2 }, (_, index) => `Sentence ${index + 1}`),
    last,
  ];

  it.each([
    ['a wide screen', {}],
    ['a phone', { viewport: { width: 390, height: 780 } }],
  ])('shows on %s what is being said, without a reload', async (_, options) => {
    const { id, tus, hear, url } = await begun();
    const { page, complaints } = await open(options);
    await page.goto(url);
    await page.getByText('Words appear here as they are spoken.').waitFor();
    await page.evaluate('globalThis.isSamePage = true');
    /** A page that becomes visible again looks immediately. */
    const looks = `document.dispatchEvent(new Event('visibilitychange')), `;
    const shows = (texts: readonly string[]) =>
      until(
        page,
        `${looks} JSON.stringify([...document.querySelectorAll('#rows li p')].map((row) => row.textContent)) === ${JSON.stringify(JSON.stringify(texts))}`,
      );
    const isInView = (text: string) =>
      until(
        page,
        `(() => {
          const list = document.getElementById('rows').getBoundingClientRect();
          const row = [...document.querySelectorAll('#rows li p')].find((one) => one.textContent === ${JSON.stringify(text)});
          const { top, bottom } = row.getBoundingClientRect();
          return top >= list.top && bottom <= list.bottom + 1;
        })()`,
      );

    await hear(sentences(3));
    await shows(sentences(3));
    expect(await page.getByText('Words appear here as they are spoken.').isVisible()).toBe(false);
    await page.getByRole('status').getByText('Recording in progress', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    // The last sentence is heard again, with what follows, for longer than a page of the transcript.
    for (const count of [4, 29, 30, 40, 41, 130]) {
      await hear(sentences(count, `The end of ${count}`));
      await shows(sentences(count, `The end of ${count}`));
      await isInView(`The end of ${count}`);
    }
    await hear(sentences(128));
    await shows(sentences(128));

    // A reader who looks something up stays there.
    await page.evaluate(`document.getElementById('rows').scrollTo({ top: 0 })`);
    await hear(sentences(140));
    await shows(sentences(140));
    await isInView(HOSTILE);

    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    expect(await page.locator('.menu, #search, #captions').count()).toBe(0);
    const { body } = await ada.get(`/recordings/${id}/share-links`);
    expect(body.data[0].view_count).toBe(1);
    expect(complaints).toEqual([]);
    // It will not be heard any more.
    await service.dataSource.query('DELETE FROM transcripts WHERE recording_id = $1', [id]);
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.locator('#transcript').waitFor({ state: 'detached' });
    await tus.delete();
  });

  it('shows the end of a long meeting to those who come late, and its parts to those without scripts', async () => {
    const { hear, url } = await begun();
    await hear(sentences(1_234));
    const { page, complaints } = await open();
    await page.goto(url);
    await until(page, `document.querySelectorAll('#rows li').length === 1234`);
    const left = `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)`;
    await until(page, `${left}(document.getElementById('rows')) < 5`);
    expect(complaints).toEqual([]);
    const plain = await open({ javaScriptEnabled: false });
    await plain.page.goto(url);
    expect(await plain.page.locator('#rows li').count()).toBe(40);
    await plain.page.getByRole('link', { name: 'Later in this transcript' }).click();
    await plain.page.getByText('Sentence 45', { exact: true }).waitFor();
  });
});
