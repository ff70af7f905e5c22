import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { SignInLinksService } from '../../src/modules/sign-in/links/sign-in-links.service.js';
import { keyOf, member, organization, user } from '../factories/workspace.js';
import { pagesOfTests, until, violations } from '../support/browser.js';
import { done } from '../support/client.js';
import { expectUsable, DESK } from '../support/library.js';
import { CHROMIUM } from '../support/requirements.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { MIB } from '../support/uploads.js';

const [ada, grace] = [user('Ada'), user('Grace')];
const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')] });
const SAID = [
  { start: 0, end: 2, text: 'We ship on Tusday', speaker: 'Ada' },
  { start: 30, end: 32, text: 'The cold mode is a flag', speaker: 'Grace' },
];

CHROMIUM.describe('a day in the library', () => {
  let service: TestService;
  const open = pagesOfTests([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    '--autoplay-policy=no-user-gesture-required',
  ]);

  beforeAll(async () => {
    service = await startService({ TRANSCRIPTION: 'off' }, { worker: true });
    await service.import({ users: [ada, grace], organizations: [acme] });
  });
  afterAll(() => service?.stop());

  const as = (name: string) => service.api.as(keyOf(name));

  /** Larger than the first piece that is sent: with a box that players skip. */
  async function film(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
    const free = Buffer.alloc(3 * MIB);
    free.writeUInt32BE(free.length, 0);
    free.write('free', 4);
    const buffer = Buffer.concat([await readFile('demo/media/customer-call.mp4'), free]);
    return { name: 'Customer call.mp4', mimeType: 'video/mp4', buffer };
  }

  /** By a link of the host, as `npm start` prints. */
  async function signIn(page: Page, { id } = grace): Promise<void> {
    const url = new URL((await service.app.get(SignInLinksService).issueForHost(id)) ?? '');
    await page.goto(service.api.base + url.pathname);
    await page.waitForURL('**/app');
  }

  async function endSessions(): Promise<void> {
    const sessions = await done(as('Grace').get('/me/sessions'));
    for (const { id } of sessions) await done(as('Grace').delete(`/me/sessions/${id}`));
  }

  /** Lets the first piece pass; the next hangs until the page is left. */
  async function hangAfterOne(page: Page): Promise<void> {
    let pieces = 0;
    await page.route('**/api/v1/uploads/*', async (route: Route) => {
      if (route.request().method() !== 'PATCH' || (pieces += 1) <= 1) await route.continue();
    });
  }

  async function opensShare(context: BrowserContext, url: string): Promise<string> {
    const page = await context.newPage();
    await page.goto(url.replace(/^http:\/\/[^/]+/, service.api.base));
    await page.getByText('We ship on Tuesday').waitFor();
    expect(await violations(page)).toEqual([]);
    return page.url();
  }

  it('signs in, uploads, reloads in the middle, finds, corrects and shares', async () => {
    const { page, complaints } = await open(DESK);
    await signIn(page);
    await page.goto(`${service.api.base}/app?organization=${acme.id}`);
    await page.getByRole('heading', { name: 'Recordings', level: 1 }).waitFor();
    await page.locator('input[type=file]').waitFor({ state: 'attached' });
    await hangAfterOne(page);
    await page.locator('input[type=file]').setInputFiles(await film());
    await page.locator('.upload').getByText('%').waitFor();
    const [{ id }] = await done(as('Grace').get('/recordings'));
    await page.reload();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // Folded, so that it hides nothing.
    await page.getByText('Uploads finished').waitFor();
    await page.locator('.uploads button', { hasText: 'Clear finished uploads' }).dispatchEvent('click');
    await eventually(async () =>
      expect(await done(as('Grace').get(`/recordings/${id}`))).toMatchObject({
        status: 'COMPLETED',
        organizationId: acme.id,
      }),
    );
    await done(
      as('Grace').request('PUT', `/recordings/${id}/transcript`, {
        body: { language: 'en', segments: SAID },
        headers: { 'content-type': 'application/json' },
      }),
    );

    await page.keyboard.press('/');
    await page.keyboard.type('cold mode');
    await page.getByRole('link', { name: /cold mode/ }).click();
    await page.waitForURL(`**/app/recordings/${id}#t=30`);
    await page.getByText('The cold mode is a flag').waitFor();
    await page.getByRole('button', { name: 'Correct the text at 0:00' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Text' }).fill('We ship on Tuesday');
    await page.keyboard.press('Control+Enter');
    await page.locator('#rows').getByText('We ship on Tuesday').waitFor();

    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /Share/ });
    await dialog.getByRole('button', { name: /^Create/ }).click();
    await dialog.getByText('Link created.').waitFor();
    const [link] = await done(as('Grace').get(`/recordings/${id}/share-links`));
    const recipient = await open();
    await opensShare(recipient.page.context(), link.share_url);
    expect(complaints).toEqual([]);
  });

  it('records, is demoted while looking, and keeps what was typed when the session ends', async () => {
    const { page } = await open(DESK);
    await signIn(page);
    await page.goto(`${service.api.base}/app/record?organization=${acme.id}`);
    await page.getByRole('button', { name: 'Camera and microphone' }).click();
    await page.getByLabel('Title').fill('Stand-up');
    await page.getByRole('button', { name: 'Start recording' }).click();
    await eventually(async () =>
      expect((await done(as('Grace').get('/recordings?search=Stand')))[0]).toMatchObject({
        status: 'UPLOADING',
      }),
    );
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.waitForURL(/\/recordings\/[\da-f-]{36}$/);
    const id = page.url().split('/').at(-1)!;
    await page.locator('video').waitFor();

    await page
      .getByRole('button', { name: 'Edit notes' })
      .or(page.getByRole('button', { name: 'Add notes' }))
      .first()
      .click();
    await page.getByRole('textbox', { name: 'Notes' }).fill('Typed before the session ended');
    // Which would notice by itself, after a while.
    await page.route('**/events/stream*', (route) => route.abort());
    await endSessions();
    // Also if the page has noticed already, and says so over everything else.
    await page.getByRole('button', { name: 'Save' }).dispatchEvent('click');
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    await expectUsable(page);
    // Too early: nobody has signed in again.
    await ended.getByRole('button', { name: 'Continue' }).click();
    await ended.getByRole('alert').waitFor();
    await signIn(await page.context().newPage());
    await ended.getByRole('button', { name: 'Continue' }).click();
    await ended.waitFor({ state: 'detached' });
    // Again, if the recording has changed meanwhile, as while it is processed.
    const save = page.getByRole('button', { name: 'Save' });
    await eventually(async () => {
      if (await save.isEnabled({ timeout: 1_000 }).catch(() => false)) await save.click();
      expect((await done(as('Grace').get(`/recordings/${id}`))).notes).toBe('Typed before the session ended');
    });

    await page.unroute('**/events/stream*');
    await page.getByRole('button', { name: 'Share', exact: true }).waitFor();
    await done(
      as('Ada').patch(`/organizations/${acme.id}/members/${grace.id}`, { features: { sharing: false } }),
    );
    await until(
      page,
      `[...document.querySelectorAll('.actions button')].some((one) => one.textContent === 'Share' && one.disabled)`,
    );
    await done(as('Ada').delete(`/organizations/${acme.id}/members/${grace.id}`));
    await page
      .getByRole('dialog', { name: 'Your session has ended' })
      .or(page.getByRole('alert'))
      .first()
      .waitFor();
  });

  it('begins anew for somebody else who has signed in meanwhile', async () => {
    const { page } = await open(DESK);
    await signIn(page);
    await page.getByRole('heading', { name: 'Recordings', level: 1 }).waitFor();
    await page.route('**/events/stream*', (route) => route.abort());
    await endSessions();
    // Unless the page has noticed already, and says so over everything else.
    await page.keyboard.press('/');
    await page.keyboard.type('anything');
    const ended = page.getByRole('dialog', { name: 'Your session has ended' });
    await ended.waitFor();
    await signIn(await page.context().newPage(), ada);
    await ended.getByRole('button', { name: 'Continue' }).click();
    await page.locator('.bar').getByText('Ada').waitFor();
    expect(await ended.count()).toBe(0);
  });

  it('says that there is no connection, and goes on once there is', async () => {
    const { page } = await open(DESK);
    await signIn(page);
    await page.getByRole('heading', { name: 'Recordings', level: 1 }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Organizations' }).click();
    await page.getByText('No connection. Trying again…').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Action items' }).click();
    await page.getByRole('heading', { name: 'Action items', level: 1 }).waitFor();
    await page.getByText('No connection. Trying again…').waitFor({ state: 'detached' });
  });
});
