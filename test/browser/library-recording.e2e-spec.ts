import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { keyOf, member, organization, recording, summary, transcript, user } from '../factories/workspace.js';
import { mute, pagesOfTests, playsOn, until } from '../support/browser.js';
import { done, type Client } from '../support/client.js';
import { DESK, expectUsable, openLibrary, PHONE_AT_NIGHT } from '../support/library.js';
import { settled, upload } from '../support/packaged.js';
import { CHROMIUM } from '../support/requirements.js';
import { eventually, startService, type TestService } from '../support/service.js';

const HOSTILE = `<img src=x onerror=alert(1)> שלום ${'Wrenfieldrobotics'.repeat(8)}`;
const GERMAN_PHONE = { ...PHONE_AT_NIGHT, locale: 'de-DE' };
const SENTENCES = {
  language: 'en',
  segments: Array.from({ length: 131 }, (_, index) => ({
    start: index * 2,
    end: index * 2 + 1.8,
    speaker: index % 3 === 0 ? 'Ada' : 'Grace',
    text: index === 60 ? 'The café opens at noon' : `Sentence number ${index}`,
    confidence: 1,
  })),
};
const TOPICS = {
  content: '',
  topics: [
    { title: 'Numbers', start: 10, keyPoints: [] },
    { title: 'Cafeteria', start: 120, keyPoints: [] },
  ],
};

CHROMIUM.describe('one recording in the library', () => {
  const open = pagesOfTests();
  const [ada, grace] = [user('Ada'), user('Grace')];
  const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN')] });
  const shared = recording('Ada', { organization: 'Acme', media: 'film.mp4', transcript: transcript(60) });
  const hostile = recording('Ada', {
    title: HOSTILE,
    notes: HOSTILE,
    media: 'film.mp4',
    transcript: {
      language: 'en',
      segments: [0, 1, 2].map((start) => {
        return { start, end: start + 1, speaker: `${HOSTILE}${start}`, text: HOSTILE, confidence: 1 };
      }),
    },
    summary: { content: HOSTILE, topics: [{ title: HOSTILE, start: 1, keyPoints: [] }] },
  });
  const words = recording('Ada', { title: 'Board call', transcript: transcript(300), summary });
  const long = recording('Ada', { title: 'Long', transcript: transcript(20_000) });
  let service: TestService;
  let api: Client;
  let film: string;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    api = service.api.as(keyOf('Ada'));
    await service.import(
      { users: [ada, grace], organizations: [acme], recordings: [shared, hostile, words, long] },
      { 'film.mp4': await readFile('demo/media/depot-walk-through.mp4') },
    );
    film = await upload(api, await readFile('demo/media/product-weekly.mp4'), { title: 'Product weekly' });
    await settled(api, film);
    await put(film, 'transcript', SENTENCES);
    await put(film, 'summary', TOPICS);
  }, 90_000);
  afterAll(() => service?.stop());

  const put = (id: string, part: string, body: object) =>
    api.request('PUT', `/recordings/${id}/${part}`, {
      body,
      headers: { 'content-type': 'application/json' },
    });
  const visit = async (id: string, hash = '', options: object = DESK, as = ada) => {
    const watched = await openLibrary(service, open, as.id, `/recordings/${id}${hash}`, options);
    await watched.page.locator('h1').waitFor();
    return watched;
  };
  const loaded = (page: Page, rows: number) =>
    until(page, `document.querySelectorAll('#rows li').length === ${rows}`);
  const row = (page: Page, text: string) =>
    page.locator('#rows li').filter({ has: page.getByText(text, { exact: true }) });
  const textOf = async (id: string, segment: number): Promise<string> =>
    (await done(api.get(`/recordings/${id}/transcript?limit=100`))).segments[segment].text;

  it('plays, and jumps to a sentence, a chapter, and the time in its URL', async () => {
    const { page, complaints } = await visit(film, '?t=1m30s');
    await until(page, `Math.abs(document.querySelector('video').currentTime - 90) < 0.5`);
    await mute(page);
    await loaded(page, 131);
    await page.getByText('Sentence number 40', { exact: true }).click();
    await playsOn(page, 80);
    await page.locator('#rows li[aria-current]').getByText('Sentence number 4').first().waitFor();
    expect(new URL(page.url()).hash).toBe('#t=80');
    const chapters = page.getByRole('region', { name: 'Chapters' });
    await chapters.getByRole('link', { name: /Cafeteria/ }).click();
    await playsOn(page, 120);
    expect(await chapters.locator('[aria-current]').textContent()).toContain('Cafeteria');
    await page.keyboard.press('k');
    expect(await page.evaluate(`document.querySelector('video').paused`)).toBe(true);
    await expectUsable(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectUsable(page);
    await page.keyboard.press('Escape');
    // Nothing of it is left behind in the next view.
    await page.getByRole('link', { name: 'Organizations' }).click();
    await page.locator('video').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    expect(complaints).toEqual([]);
  });

  it('finds words, and plays from there', async () => {
    const { page, complaints } = await visit(film);
    await mute(page);
    await loaded(page, 131);
    const field = page.getByRole('searchbox', { name: 'Search transcript' });
    await field.fill('CAFE opens');
    await page.locator('#count').getByText('1 of 1').waitFor();
    expect(await page.locator('#rows mark').allTextContents()).toEqual(['café', 'opens']);
    await expectUsable(page);
    await field.press('Enter');
    await playsOn(page, 120);
    expect(complaints).toEqual([]);
  });

  it('corrects a text with the keyboard alone, and takes it back', async () => {
    const { page, complaints } = await visit(film);
    await loaded(page, 131);
    await row(page, 'Sentence number 3').getByRole('link').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Text' });
    expect(await field.inputValue()).toBe('Sentence number 3');
    await expectUsable(page);
    await field.fill('Never mind');
    await page.keyboard.press('Escape');
    expect(await field.count()).toBe(0);
    await page.keyboard.press('Enter');
    await field.fill('Sentence number three, corrected');
    await page.keyboard.press('Control+Enter');
    await row(page, 'Sentence number three, corrected').waitFor();
    expect(await textOf(film, 3)).toBe('Sentence number three, corrected');
    await until(page, `document.activeElement.className === 'edit'`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'Sentence number 3').waitFor();
    expect(await textOf(film, 3)).toBe('Sentence number 3');
    expect(complaints).toEqual([]);
  });

  it('keeps what is typed while others correct the same text, and shows theirs', async () => {
    const { page } = await visit(film);
    await loaded(page, 131);
    await row(page, 'Sentence number 7').hover();
    await page.getByRole('button', { name: 'Correct the text at 0:14' }).click();
    const field = page.getByRole('textbox', { name: 'Text' });
    await field.fill('Mine');
    await done(api.patch(`/recordings/${film}/transcript/segments/9`, { text: 'Elsewhere' }));
    await row(page, 'Elsewhere').waitFor();
    expect(await field.inputValue()).toBe('Mine');
    await done(api.patch(`/recordings/${film}/transcript/segments/7`, { text: 'Theirs' }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Somebody else has changed this meanwhile.').waitFor();
    await page.getByText('Theirs', { exact: true }).waitFor();
    expect(await field.inputValue()).toBe('Mine');
    await expectUsable(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await row(page, 'Mine').waitFor();
    expect(await textOf(film, 7)).toBe('Mine');
  });

  it('names a speaker in the whole transcript or in a passage, and restores what was before', async () => {
    await put(film, 'transcript', SENTENCES);
    const { page, complaints } = await visit(film);
    await loaded(page, 131);
    const names = (name: string) => page.locator('#rows').getByRole('button', { name, exact: true });
    await names('Ada').first().click();
    const dialog = page.getByRole('dialog', { name: 'Name this speaker' });
    await dialog.waitFor();
    await expectUsable(page);
    await dialog.getByLabel('Name', { exact: true }).fill('Ada <b>Lovelace');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => expect(await names('Ada <b>Lovelace').count()).toBe(44));
    expect(await names('Ada').count()).toBe(0);
    await eventually(async () =>
      expect(await page.evaluate(`document.activeElement.textContent`)).toBe('Ada <b>Lovelace'),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(async () => expect(await names('Ada').count()).toBe(44));

    await names('Grace').nth(1).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Alan');
    await dialog.getByLabel('Where').selectOption('Only in this passage');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await names('Alan').waitFor();
    expect(await names('Grace').count()).toBe(43);
    await page.getByText('More actions').or(page.getByLabel('More actions')).first().click();
    await page.getByRole('button', { name: 'Transcript history' }).click();
    const history = page.getByRole('dialog', { name: 'Transcript history' });
    await history.getByText('Speakers named').first().waitFor();
    await expectUsable(page);
    await history.getByRole('button', { name: 'Restore' }).first().click();
    await eventually(async () => expect(await names('Alan').count()).toBe(0));
    expect(complaints).toEqual([]);
  });

  it('edits the notes, and shows those of others before it replaces them', async () => {
    const { page } = await visit(film);
    await page.getByRole('button', { name: 'Edit notes' }).click();
    const field = page.getByRole('textbox', { name: 'Notes' });
    await field.fill('Mine');
    await done(api.patch(`/recordings/${film}`, { title: 'Another title' }));
    await page.getByRole('heading', { level: 1, name: 'Another title' }).waitFor();
    await done(api.patch(`/recordings/${film}`, { notes: 'Theirs' }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('region', { name: 'Notes' }).getByText('Theirs', { exact: true }).waitFor();
    expect(await field.inputValue()).toBe('Mine');
    await expectUsable(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit notes' }).waitFor();
    expect((await done(api.get(`/recordings/${film}`))).notes).toBe('Mine');
  });

  it.each([
    ['a desk', DESK, 'Notes'],
    ['a phone at night, in German', GERMAN_PHONE, 'Notizen'],
  ])('shows hostile names on %s as they are', async (_, options, notes) => {
    const { page, complaints } = await visit(hostile.id, '', options);
    await loaded(page, 3);
    expect(await page.locator('h1').textContent()).toBe(HOSTILE);
    expect(await page.getByRole('region', { name: notes }).textContent()).toContain(HOSTILE);
    expect(await page.locator('main img').count()).toBe(0);
    await expectUsable(page);
    await page.locator('#rows .speaker').first().click();
    await page.getByRole('dialog').waitFor();
    await expectUsable(page);
    expect(complaints).toEqual([]);
  });

  it('reads a meeting without media on a phone at night, in German', async () => {
    const { page, complaints } = await visit(words.id, '#t=400', GERMAN_PHONE);
    await loaded(page, 300);
    await page.locator('#rows li[aria-current]').getByText('Sentence 200').waitFor();
    await page.getByText('Kein Audio oder Video').waitFor();
    expect(await page.locator('video').count()).toBe(0);
    await page.getByRole('searchbox').fill('sentence 7');
    await page.locator('#count').getByText('1 von 11').waitFor();
    await expectUsable(page);
    expect(complaints).toEqual([]);
  });

  it('stays fast with 20,000 segments', async () => {
    const { page } = await visit(long.id);
    await loaded(page, 20_000);
    await page.getByRole('searchbox').fill('sentence 19999');
    await page.locator('#count').getByText('1 of 1').waitFor();
    await done(api.patch(`/recordings/${long.id}/transcript/segments/19998`, { text: 'Corrected' }));
    await row(page, 'Corrected').waitFor();
  });

  it('says when access is revoked while looking, and keeps what was typed', async () => {
    const { page } = await visit(shared.id, '', DESK, grace);
    await loaded(page, 60);
    await row(page, 'Sentence 2').hover();
    await page.getByRole('button', { name: 'Correct the text at 0:04' }).click();
    await page.getByRole('textbox', { name: 'Text' }).fill('Half a sentence');
    const features = { view_all_recordings: false };
    const path = `/organizations/${acme.id}/members/${grace.id}`;
    await done(api.patch(path, { role: 'EDITOR', features }));
    await page.getByRole('alert').getByText('This recording is not here').waitFor();
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('Half a sentence');
    await expectUsable(page);
    await page.getByRole('link', { name: 'To your recordings' }).click();
    await page.waitForURL(`${service.api.base}/app`);
  });

  it('says that a recording is not there', async () => {
    const { page } = await visit(acme.id);
    await page.getByRole('alert').getByText('This recording is not here').waitFor();
    await expectUsable(page);
  });
});
