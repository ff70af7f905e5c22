import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { keyOf, member, organization, recording, transcript, user } from '../factories/workspace.js';
import { pagesOfTests, until } from '../support/browser.js';
import type { Client } from '../support/client.js';
import { done } from '../support/client.js';
import { DESK, expectUsable, openLibrary, PHONE_AT_NIGHT } from '../support/library.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';

const HOSTILE = `<img src=x onerror=alert(1)> ${'Wrenfieldrobotics'.repeat(6)}`;
const FORBIDDEN = { code: 'FORBIDDEN', message: 'Not allowed' };
const [ada, vic, sam] = [user('Ada'), user('Vic'), user('Sam')];
const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Vic', 'VIEWER', { viewAllRecordings: true, sharing: false })],
});
const item = (text: string, details: object = {}) => ({ text, start: 4, ...details });
const summaryOf = (...actionItems: object[]) => ({
  content: '## In short\n\nWe **ship** on [Friday](javascript:alert(1)), see (0:02).',
  topics: [
    { title: 'Launch', start: 2, keyPoints: [{ point: 'On Friday', start: 3, details: ['All green'] }] },
  ],
  decisions: [{ text: 'Ship it', start: 6 }],
  actionItems,
});
const meeting = (title: string, more: object = {}) =>
  recording('Ada', { title, organization: acme.name, transcript: transcript(4), ...more });
const weekly = meeting('Weekly sync', {
  transcript: transcript(20),
  summary: summaryOf(item('Write the notes', { owner: 'Ada', due: 'by Friday' }), item('Call the bank')),
});
const hostile = meeting(HOSTILE, {
  summary: summaryOf(
    item(`${HOSTILE} <script>`, { owner: HOSTILE.slice(0, 120) }),
    item('أرسل العرض', { owner: 'مريم' }),
  ),
});
const edited = meeting('Edited', {
  summary: summaryOf(item('Order cakes'), item('Order tea', { start: 5 })),
});
const shared = meeting('Shared');
const long = recording('Sam', {
  title: 'Long',
  summary: summaryOf(...Array.from({ length: 60 }, (_, index) => item(`Item ${index}`))),
});

CHROMIUM.describe('summaries, action items, questions and share links in the library', () => {
  let service: TestService;
  let api: Client;
  const open = pagesOfTests();

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({
      users: [ada, vic, sam],
      organizations: [acme],
      recordings: [weekly, hostile, edited, shared, long],
    });
    api = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service?.stop());

  const visit = (path: string, options: BrowserContextOptions = DESK, userId = ada.id) =>
    openLibrary(service, open, userId, path, options);
  const itemsOf = async (id: string) => (await done(api.get(`/recordings/${id}/summary`))).actionItems;
  /** Waits: what is focused next may be drawn a moment later. */
  const isFocused = (page: Page, text: string) =>
    until(page, `document.activeElement.textContent.trim() === ${JSON.stringify(text)}`);

  it('ticks an action item of any meeting, takes that back, and assigns it', async () => {
    const { page, complaints } = await visit('/action-items?owner=ada');
    const box = page.getByRole('checkbox', { name: 'Write the notes' });
    await box.check();
    await page.getByText('Marked as done.').waitFor();
    await expectUsable(page);
    expect(await itemsOf(weekly.id)).toMatchObject([{ done: true }, { done: false }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Marked as done.').waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'Write the notes', checked: false }).waitFor();
    expect(await itemsOf(weekly.id)).toMatchObject([{ done: false }, { done: false }]);

    await page.getByRole('button', { name: 'Edit: Write the notes' }).click();
    await expectUsable(page);
    await page.getByLabel('What is to be done').fill('Write short notes');
    await page.locator('form').getByLabel('Owner').fill('Grace');
    await page.getByLabel('Due on').fill('2027-01-31');
    await page.keyboard.press('Enter');
    await page.getByText('due Jan 31, 2027').waitFor();
    await isFocused(page, '✎');
    expect((await itemsOf(weekly.id))[0]).toMatchObject({
      text: 'Write short notes',
      owner: 'Grace',
      due: 'by Friday',
      dueDate: '2027-01-31',
    });
    expect(await page.getByRole('link', { name: 'Go to 0:04' }).getAttribute('href')).toBe(
      `/app/recordings/${weekly.id}#t=4`,
    );
    expect(complaints).toEqual([]);
  });

  it('filters action items by the URL, and shows what others do at once', async () => {
    const { page } = await visit('/action-items');
    const stream = page.waitForResponse('**/events/stream**');
    await page.reload();
    await page.getByRole('checkbox', { name: 'Call the bank' }).waitFor();
    await stream;
    const [, bank] = await itemsOf(weekly.id);
    await done(
      api.patch(`/recordings/${weekly.id}/action-items/${bank.id}`, { text: 'Call Bo', done: true }),
    );
    await page.locator('.is-done').getByText('Call Bo').waitFor();
    await page.getByLabel('Status').selectOption('Done');
    await page.getByText('Order tea').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?done=true');
    expect(await page.getByRole('checkbox').count()).toBe(1);
    await page.getByLabel('Meetings until').fill('2020-01-01');
    await page.getByText('No action items here.').waitFor();
    await expectUsable(page);
  });

  it('says why somebody may not tick, and leaves the box as it was', async () => {
    const { page } = await visit('/action-items', DESK, vic.id);
    const box = page.getByRole('checkbox', { name: 'Order tea' });
    await box.click();
    await page.getByText('You are not allowed to do this.').waitFor();
    expect(await box.isChecked()).toBe(false);
  });

  it('is usable on a phone at night in German, whatever meetings are called', async () => {
    const { page, complaints } = await visit('/action-items', { ...PHONE_AT_NIGHT, locale: 'de-DE' });
    await page.getByRole('checkbox', { name: 'wrenfieldrobotics' }).waitFor();
    await expectUsable(page);
    await page.goto(`${service.api.base}/app/recordings/${hostile.id}`);
    await page.getByRole('region', { name: 'Zusammenfassung' }).getByText('javascript:').waitFor();
    await expectUsable(page);
    await page.goto(`${service.api.base}/app/questions`);
    await page.getByLabel('Ihre Frage').fill('Was gibt es zu xylophonen?');
    await page.keyboard.press('Enter');
    await page.getByText('Nichts Gesagtes beantwortet diese Frage.').waitFor();
    await expectUsable(page);
    expect(complaints).toEqual([]);
  });

  it('answers questions one after the other, with citations that lead to the moment', async () => {
    const { page } = await visit(`/questions?organization=${acme.id}`);
    for (const number of ['7', '8']) {
      await page.getByLabel('Your question').fill(`What about sentence ${number}?`);
      await page.getByRole('button', { name: 'Ask' }).click();
      const article = page.getByRole('log').getByRole('article', { name: `sentence ${number}?` });
      await article.getByText(`Sentence ${number}`, { exact: true }).first().waitFor();
    }
    expect(await page.getByRole('article').count()).toBe(2);
    expect(await page.getByLabel('Your question').inputValue()).toBe('');
    await expectUsable(page);
    const link = page.getByRole('article').first().getByRole('link', { name: 'Weekly sync, 0:14' }).first();
    expect(await link.getAttribute('href')).toBe(`/app/recordings/${weekly.id}#t=14`);
  });

  it('cancels a question, and keeps it to be asked again', async () => {
    const { page } = await visit('/questions');
    await page.getByLabel('Your question').fill('What about sentence 7?');
    await page.route('**/api/v1/questions', () => undefined);
    await page.keyboard.press('Enter');
    await page.getByText('Looking for an answer…').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Looking for an answer…').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Your question').inputValue()).toBe('What about sentence 7?');
    await page.unroute('**/api/v1/questions');
    await page.keyboard.press('Enter');
    await page.getByText('Sentence 7', { exact: true }).first().waitFor();
  });

  it('edits a summary as text, on top of what somebody else has done meanwhile', async () => {
    const { page, complaints } = await visit(`/recordings/${edited.id}`);
    const panel = page.getByRole('region', { name: 'Summary' });
    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
    const content = panel.getByLabel('Text', { exact: true });
    await content.fill('We ship.');
    await expectUsable(page);
    await panel.getByLabel('Action items').fill('Order many cakes\nOrder tea\nOrder milk');
    await panel.getByLabel('Topics').fill('Launch\n- On Monday\n    - All green\nAfter it');
    const [, tea] = await itemsOf(edited.id);
    await done(api.patch(`/recordings/${edited.id}/action-items/${tea.id}`, { done: true }));
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('Somebody else has changed the summary meanwhile.').waitFor();
    expect(await content.inputValue()).toBe('We ship.');
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.getByText('We ship.').waitFor();
    expect(await done(api.get(`/recordings/${edited.id}/summary`))).toMatchObject({
      content: 'We ship.',
      decisions: [{ text: 'Ship it', start: 6 }],
      topics: [
        { title: 'Launch', start: 2, keyPoints: [{ point: 'On Monday', start: 3, details: ['All green'] }] },
        { title: 'After it', start: null, keyPoints: [] },
      ],
      actionItems: [
        { text: 'Order many cakes' },
        { id: tea.id, text: 'Order tea', done: true },
        { text: 'Order milk' },
      ],
    });
    await isFocused(page, 'Edit');

    await panel.getByRole('button', { name: 'Versions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Versions' });
    await dialog.locator('summary').last().click();
    await dialog.getByText('In short').waitFor();
    await expectUsable(page);
    await dialog.getByRole('button', { name: 'Restore' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    await panel.getByText('In short').waitFor();
    await isFocused(page, 'Versions');
    expect(complaints).toEqual([expect.stringContaining('412 (Precondition Failed)')]);
  });

  it('asks before it discards what was typed, and generates anew', async () => {
    const { page } = await visit(`/recordings/${edited.id}`);
    const panel = page.getByRole('region', { name: 'Summary' });
    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
    await panel.getByLabel('Decisions').fill('Ship it later');
    await panel.getByRole('button', { name: 'Cancel' }).click();
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await panel.getByLabel('Decisions').inputValue()).toBe('Ship it later');
    await panel.getByRole('button', { name: 'Cancel' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await panel.getByRole('button', { name: 'Generate again' }).click();
    await panel.getByText('We ship').waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Generate again' }).waitFor();
    await expectUsable(page);
  });

  it('says in an open dialog what could not be done', async () => {
    const { page } = await visit(`/recordings/${edited.id}`);
    await page.getByRole('button', { name: 'Versions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Versions' });
    await page.route('**/restore', (route) => route.fulfill({ status: 403, json: { error: FORBIDDEN } }));
    await dialog.getByRole('button', { name: 'Restore' }).last().click();
    await dialog.getByRole('status').getByText('You are not allowed to do this.').waitFor();
    await expectUsable(page);
    await dialog.getByRole('status').getByRole('button', { name: 'Close' }).click();
    await dialog.getByRole('status').getByRole('button').waitFor({ state: 'detached' });
  });

  it('says why a viewer can neither change the summary nor share', async () => {
    const { page } = await visit(`/recordings/${weekly.id}`, DESK, vic.id);
    const panel = page.getByRole('region', { name: 'Summary' });
    await panel.getByText('Your role does not include this.').waitFor();
    expect(await panel.getByRole('button', { name: 'Generate again' }).isDisabled()).toBe(true);
    expect(await panel.getByRole('checkbox').first().isDisabled()).toBe(true);
    expect(await panel.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    await expectUsable(page);
  });

  it('makes a link, shows who has looked, changes it and revokes it', async () => {
    const { page, complaints } = await visit(`/recordings/${shared.id}`);
    await page.getByRole('button', { name: 'Share' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Share' });
    await dialog.getByText('Nobody outside can see this recording yet.').waitFor();
    await expectUsable(page);
    await dialog.getByLabel('Label').fill(HOSTILE.slice(0, 100));
    await dialog.getByLabel('Recipients can').selectOption('View and download');
    await dialog.getByLabel('Expires').selectOption('In 7 days');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText('Link created.').waitFor();
    await expectUsable(page);
    const row = dialog.getByRole('list', { name: 'Share links' }).getByRole('listitem');
    expect(await dialog.getByLabel('Label').inputValue()).toBe('');

    const [link] = await done(api.get(`/recordings/${shared.id}/share-links`));
    expect(link).toMatchObject({ label: HOSTILE.slice(0, 100), permission: 'download', has_password: false });
    await done(service.api.get(`/shares/${link.share_token}`));
    await row.getByRole('button', { name: /^Change/ }).click();
    await row.getByLabel('Label').fill('Customer');
    await row.getByLabel('Expires').selectOption('Never');
    await row.getByLabel('Password').fill('correct horse');
    await expectUsable(page);
    await row.getByRole('button', { name: 'Save' }).click();
    await row.getByText(/^Opened once/).waitFor();
    await row.getByText('Never expires').waitFor();
    expect(await done(api.get(`/recordings/${shared.id}/share-links`))).toMatchObject([
      { id: link.id, label: 'Customer', expires_at: null, has_password: true },
    ]);

    await row.getByRole('button', { name: 'Revoke: Customer' }).click();
    await page
      .getByRole('dialog', { name: 'Revoke “Customer”?' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    await dialog.getByText('Nobody outside can see this recording yet.').waitFor();
    await isFocused(page, 'Link revoked.');
    expect(await done(api.get(`/recordings/${shared.id}/share-links`))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('leaves out a page of a list that has been filtered meanwhile', async () => {
    const { page } = await visit('/action-items', DESK, sam.id);
    const asked = page.waitForRequest(/action-items\?.*cursor=/);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(/action-items\?.*cursor=/, (route) => held.then(() => route.continue()));
    await page.getByRole('button', { name: 'Show more' }).click();
    await asked;
    await page.getByLabel('Status').selectOption('Done');
    await page.getByRole('checkbox').first().waitFor({ state: 'detached' });
    const answered = page.waitForResponse(/action-items\?.*cursor=/);
    release();
    await (await answered).finished();
    await page.getByText('No action items here.').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
  });

  it('downloads transcript and summary, named after the meeting, or says what is missing', async () => {
    const { page } = await visit(`/recordings/${hostile.id}`);
    await page.getByText('Download', { exact: true }).first().click();
    await page.getByRole('group', { name: 'Recording' }).getByText('Not there yet.').waitFor();
    await expectUsable(page);
    const download = page.waitForEvent('download');
    await page
      .getByRole('group', { name: 'Transcript' })
      .getByRole('button', { name: 'Subtitles (SRT)' })
      .click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(
      `img src=x onerror=alert(1) ${'Wrenfieldrobotics'.repeat(6)}`.slice(0, 100) + '.srt',
    );
    expect(await readFile(await file.path(), 'utf8')).toContain('Sentence 3');
  });
});
