import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { folder, keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { pagesOfTests, until } from '../support/browser.js';
import { done } from '../support/client.js';
import { saying } from '../support/found.js';
import { DESK, expectUsable, openLibrary, PHONE_AT_NIGHT } from '../support/library.js';
import { CHROMIUM } from '../support/requirements.js';
import { eventually, startService, type TestService } from '../support/service.js';

const HOSTILE = `<img src=x onerror=alert(1)> ${'Wrenfieldrobotics'.repeat(10)}`;
const RTL = 'שלום <b>bold';
const people = ['Ada', 'Grace', 'Vera', 'Mary', 'Nora'].map((name) => user(name));
const [ada, grace, vera, mary, nora] = people.map(({ id }) => id) as [string, string, string, string, string];
const board = folder('Board');
const acme = organization('Acme', {
  members: [
    member('Ada', 'OWNER'),
    member('Grace', 'EDITOR'),
    member('Vera', 'VIEWER', { viewAllRecordings: true }),
  ],
  folders: [board],
});
const other = organization(HOSTILE, { members: [member('Ada', 'OWNER')] });
const day = (number: number): string => `2026-03-${String(number).padStart(2, '0')}T10:00:00.000Z`;
const inAcme = { organization: acme.name };
const recordings = [
  recording('Ada', {
    ...inAcme,
    title: 'Weekly sync',
    createdAt: day(9),
    transcript: saying(
      'en',
      ['Ada', 'Good morning.'],
      ['Grace', 'We moved the budgets to <b>the next quarter.'],
    ),
  }),
  recording('Ada', { title: 'Allotment', createdAt: day(8) }),
  recording('Grace', { ...inAcme, title: 'Design review', createdAt: day(7), status: 'ERROR' }),
  recording('Ada', { ...inAcme, title: 'Board meeting', createdAt: day(6), folder: board.name }),
  recording('Ada', { ...inAcme, title: HOSTILE, createdAt: day(5), status: 'PROCESSING', progress: 0.4 }),
  recording('Ada', { ...inAcme, title: RTL, createdAt: day(4) }),
  ...Array.from({ length: 150 }, (_, n) =>
    recording('Mary', {
      title: `Meeting ${n}`,
      createdAt: new Date(Date.UTC(2026, 0, 1) - n * 60_000).toISOString(),
    }),
  ),
];

CHROMIUM.describe('the list of recordings in a browser', () => {
  let service: TestService;
  const open = pagesOfTests();

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: people, organizations: [acme, other], recordings });
  });
  afterAll(() => service?.stop());

  const visit = (userId: string, path = '', options = {}) =>
    openLibrary(service, open, userId, path, { ...DESK, ...options });
  const as = (name: string) => service.api.as(keyOf(name));
  const rows = (page: Page) => page.locator('.row');
  const titles = (page: Page) => page.locator('.recording-title').allTextContents();
  const row = (page: Page, title: string) => rows(page).filter({ hasText: title });
  /** Waits: what is focused next may be drawn a moment later. */
  const isFocused = (page: Page, text: string) =>
    until(page, `document.activeElement.textContent === ${JSON.stringify(text)}`);
  const create = (name: string, body: object) => done(as(name).post('/recordings', body));

  it('lists what somebody sees, of organizations and personal, and says what is not finished', async () => {
    const { page, complaints } = await visit(ada);
    await row(page, 'Board meeting').getByText('Board', { exact: true }).waitFor();
    expect(await titles(page)).toEqual([
      'Weekly sync',
      'Allotment',
      'Design review',
      'Board meeting',
      HOSTILE,
      RTL,
    ]);
    expect(await row(page, 'Allotment').textContent()).toContain('Ada · Personal');
    expect(await row(page, 'Design review').textContent()).toContain('Failed: open it to see why');
    expect(await row(page, HOSTILE).textContent()).toContain('Processing, 40%');
    await expectUsable(page);
    await row(page, HOSTILE).getByText('⋯').click();
    await expectUsable(page);
    expect(complaints).toEqual([]);
  });

  it('shows no actions to those who may only look', async () => {
    const { page } = await visit(vera);
    await row(page, 'Weekly sync').waitFor();
    expect([await page.getByRole('checkbox').count(), await page.locator('.row .menu').count()]).toEqual([
      0, 0,
    ]);
    await expectUsable(page);
  });

  it('leads somebody without recordings to uploading and recording', async () => {
    const { page } = await visit(nora);
    await page.getByRole('heading', { name: 'No recordings yet' }).waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: 'Record' }).getAttribute('href')).toBe(
      '/app/record',
    );
    await expectUsable(page);
  });

  it('filters by the URL, which is the same again after going back', async () => {
    const { page } = await visit(ada, '?status=failed');
    await row(page, 'Design review').waitFor();
    expect(await titles(page)).toEqual(['Design review']);
    await page.getByLabel('Status').selectOption('Ready');
    await page.getByLabel('Organization').selectOption('Acme');
    await page.getByLabel('Folder').selectOption('Board');
    await until(page, `document.querySelectorAll('.row').length === 1`);
    await page.getByRole('link', { name: 'Board meeting' }).click();
    await page.waitForURL('**/app/recordings/*');
    await page.goBack();
    await row(page, 'Board meeting').waitFor();
    expect(new URL(page.url()).search).toBe(`?status=ready&organization=${acme.id}&folder=${board.id}`);
    expect(await titles(page)).toEqual(['Board meeting']);
    await page.getByLabel('Meetings until').fill('2026-03-01');
    await page.getByText('No recordings match these filters.').waitFor();
    await expectUsable(page);
    await page.locator('.nothing').getByRole('button', { name: 'Clear filters' }).click();
    await row(page, 'Allotment').waitFor();
    expect([new URL(page.url()).search, await page.getByLabel('Meetings until').inputValue()]).toEqual([
      '',
      '',
    ]);
  });

  it('searches as one types, and leads to the moment', async () => {
    const { page, complaints } = await visit(ada);
    await row(page, 'Weekly sync').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('budget');
    const moment = page.getByRole('link', { name: '0:10 Grace We moved the budgets' });
    await moment.waitFor();
    expect(await moment.locator('mark').textContent()).toBe('budgets');
    expect(await moment.textContent()).toContain('to <b>the next quarter.');
    expect(await page.getByRole('status').allTextContents()).toContain('1 recording found');
    await expectUsable(page);
    await page.getByRole('searchbox').fill('bugdets');
    await page.getByRole('button', { name: 'budgets' }).click();
    await until(page, `new URLSearchParams(location.search).get('q') === 'budgets'`);
    expect(await page.getByRole('searchbox').inputValue()).toBe('budgets');
    await moment.click();
    await page.waitForURL(/\/app\/recordings\/[0-9a-f-]+#t=10$/);
    expect(complaints).toEqual([]);
  });

  it('returns to where the reader was, without loading anything again', async () => {
    const { page } = await visit(mary);
    await row(page, 'Meeting 0').first().waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.evaluate('scrollTo(0, 84 * 90)');
    await until(page, `document.querySelector('.recordings').clientHeight === 84 * 150`);
    await page.evaluate('scrollTo(0, 84 * 120)');
    await page.getByRole('link', { name: 'Meeting 121', exact: true }).click();
    await page.waitForURL('**/app/recordings/*');
    expect(asked.filter((path) => path === '/api/v1/recordings')).toHaveLength(1);
    await page.goBack();
    await page.getByRole('link', { name: 'Meeting 121', exact: true }).waitFor();
    expect(await page.evaluate('Math.round(scrollY / 84)')).toBe(120);
    await isFocused(page, 'Meeting 121');
    expect(asked.filter((path) => path === '/api/v1/recordings')).toHaveLength(1);
  });

  it('follows changes while somebody looks, and keeps their place', async () => {
    const { page } = await visit(ada);
    await row(page, 'Weekly sync').waitFor();
    const made = await create('Grace', { title: 'Standup', organization_id: acme.id });
    await page.getByRole('link', { name: 'new or changed: Standup' }).waitFor();
    expect((await titles(page))[0]).toContain('Standup');
    await page.getByRole('link', { name: 'Standup' }).focus();
    await done(as('Grace').patch(`/recordings/${made.id}`, { title: 'Daily standup' }));
    await row(page, 'Daily standup').waitFor();
    await until(page, `document.activeElement.closest('a')?.textContent.includes('Daily standup')`);
    await done(as('Grace').delete(`/recordings/${made.id}`));
    await row(page, 'Daily standup').waitFor({ state: 'detached' });
    await isFocused(page, 'Weekly sync');
  });

  it('keeps two tabs alike: what is new, and what is deleted', async () => {
    const { page } = await visit(ada);
    await row(page, 'Weekly sync').waitFor();
    await create('Grace', { title: 'Retro', organization_id: acme.id });
    await page.getByRole('link', { name: 'new or changed: Retro' }).waitFor();
    const opens = page.context().waitForEvent('page');
    await page.evaluate('void open(location.href)');
    const second = await opens;
    await second.getByRole('link', { name: 'new or changed: Retro' }).click();
    await page.getByRole('link', { name: 'Retro', exact: true }).waitFor();
    await second.goBack();
    await row(second, 'Retro').getByText('⋯').click();
    await second.getByRole('button', { name: 'Delete', exact: true }).click();
    await second.goto('about:blank');
    await row(page, 'Retro').waitFor({ state: 'detached' });
  });

  it('deletes a range once nobody has undone it, at the latest when the page is left', async () => {
    for (const title of ['One', 'Two', 'Three']) await create('Ada', { title });
    const { page } = await visit(ada);
    await page.getByLabel('Select Three').check();
    await page.getByLabel('Select One').click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await expectUsable(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('3 recordings deleted').waitFor();
    expect((await titles(page))[0]).toBe('Weekly sync');
    await expectUsable(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    expect((await titles(page)).slice(0, 3)).toEqual(['Three', 'Two', 'One']);
    await until(page, `document.activeElement.textContent === 'Three'`);
    for (const title of ['One', 'Two', 'Three']) await page.getByLabel(`Select ${title}`).check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('3 recordings deleted').waitFor();
    await page.goto('about:blank');
    await eventually(async () =>
      expect((await as('Ada').get('/recordings?search=Two')).body.data).toEqual([]),
    );
  });

  it('brings back what could not be deleted, and says why', async () => {
    const made = await create('Grace', { title: 'Contested', organization_id: acme.id });
    const { page } = await visit(grace);
    await page.clock.install();
    await row(page, 'Contested').getByText('⋯').click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await row(page, 'Contested').waitFor({ state: 'detached' });
    await done(
      as('Ada').patch(`/organizations/${acme.id}/members/${grace}`, {
        role: 'VIEWER',
        features: { view_all_recordings: true },
      }),
    );
    await page.clock.fastForward(10_000);
    await page.getByText('Not changed: Contested. You are not allowed to do this.').waitFor();
    await row(page, 'Contested').waitFor();
    await done(as('Ada').patch(`/organizations/${acme.id}/members/${grace}`, { role: 'EDITOR' }));
    await done(as('Grace').delete(`/recordings/${made.id}`));
  });

  it('renames, and moves several, of which some may stay', async () => {
    await create('Ada', { title: 'Mine', organization_id: acme.id });
    await create('Grace', { title: 'Hers', organization_id: acme.id });
    await create('Grace', { title: 'Hers too', organization_id: acme.id });
    const { page, complaints } = await visit(ada);
    await row(page, 'Mine').getByText('⋯').click();
    await page.getByRole('button', { name: 'Rename…' }).click();
    await page.getByRole('dialog').getByLabel('Title').fill(`Mine ${RTL}`);
    await expectUsable(page);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: `Mine ${RTL}` }).waitFor();
    await until(page, `document.activeElement.ariaLabel === ${JSON.stringify(`Actions for Mine ${RTL}`)}`);
    for (const title of [`Mine ${RTL}`, 'Hers', 'Hers too'])
      await page.getByLabel(`Select ${title}`, { exact: true }).check();
    await page.getByRole('button', { name: 'Move…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Organization').selectOption(HOSTILE);
    await dialog.getByText('no longer see it').waitFor();
    await expectUsable(page);
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('heading', { name: '2 recordings were not changed' }).waitFor();
    expect(await page.getByRole('dialog').getByRole('listitem').count()).toBe(2);
    await expectUsable(page);
    await page.keyboard.press('Escape');
    expect(await row(page, 'Mine').textContent()).toContain(HOSTILE);
    expect(complaints).toEqual([]);
  });

  it('works on a phone at night, in German', async () => {
    const { page, complaints } = await visit(ada, '', { ...PHONE_AT_NIGHT, locale: 'de-DE' });
    await row(page, HOSTILE).getByText('Wird verarbeitet, 40').waitFor();
    await expectUsable(page);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Status').selectOption('Fehlgeschlagen');
    await row(page, 'Design review').waitFor();
    await expectUsable(page);
    await page.getByLabel('Alle geladenen auswählen').check();
    await page.getByText('1 ausgewählt').waitFor();
    await expectUsable(page);
    await page.getByRole('button', { name: 'Verschieben…' }).last().click();
    await expectUsable(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Abbrechen' }).click();
    await page.getByRole('searchbox').fill('budgets');
    await page.getByText('Nichts gefunden.').waitFor();
    await page.getByRole('button', { name: 'Filter aufheben' }).click();
    await page.getByText('1 Aufnahme gefunden').waitFor();
    await expectUsable(page);
    expect(complaints).toEqual([]);
  });

  it('restores what has been deleted, or deletes it for good', async () => {
    await done(as('Ada').patch(`/organizations/${acme.id}`, { bin_days: 7 }));
    for (const title of ['Retrospective', 'Rehearsal']) {
      const { id } = await create('Ada', { title, organization_id: acme.id, media: 'none' });
      await done(as('Ada').delete(`/recordings/${id}`));
    }
    const { page, complaints } = await visit(ada, '/deleted');
    const deleted = (title: string) => page.getByRole('row').filter({ hasText: title });
    await deleted('Rehearsal').waitFor();
    await expectUsable(page);
    await deleted('Rehearsal').locator('summary').click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click();
    await deleted('Rehearsal').waitFor({ state: 'detached' });
    await deleted('Retrospective').locator('summary').click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('There are no deleted recordings to restore.').waitFor();
    await page.getByRole('link', { name: 'Recordings', exact: true }).click();
    await row(page, 'Retrospective').waitFor();
    expect(complaints).toEqual([]);
  });
});
