import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { folder, keyOf, member, organization, user } from '../factories/workspace.js';
import { pagesOfTests, until } from '../support/browser.js';
import { done } from '../support/client.js';
import { DESK, expectUsable, openLibrary, PHONE_AT_NIGHT } from '../support/library.js';
import { CHROMIUM } from '../support/requirements.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { startWithSender, type SendingService } from '../support/webhooks.js';

const HOSTILE = `<img src=x onerror=alert(1)> ${'Wrenfieldrobotics'.repeat(9)}`;
const RTL = 'אדה לאבלייס';
const [ada, grace, alan] = [user('Ada'), user('Grace', { name: HOSTILE }), user('Alan', { name: RTL })];
const [plans, finance] = [folder('Plans'), folder(`${HOSTILE.slice(0, 190)}`)];
const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN'), member('Alan', 'EDITOR')],
  folders: [plans, finance],
});
const hostile = organization(HOSTILE, { members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')] });
const LISTS = ['members', 'invitations', 'folders', 'service-accounts', 'webhooks', 'audit'];
const SECTIONS = [...LISTS, 'settings', 'glossary', 'quotas'];
/** What Chromium writes of a reply that says that there is nothing. */
const isNotMissing = (complaint: string): boolean => !complaint.includes('404');

CHROMIUM.describe('managing in the library', () => {
  let service: SendingService;
  let receiver: WebhookReceiver;
  const open = pagesOfTests();

  beforeAll(async () => {
    service = await startWithSender();
    receiver = await WebhookReceiver.start();
    await service.import({ users: [ada, grace, alan], organizations: [acme, hostile] });
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.stop();
  });

  const as = (name: string) => service.api.as(keyOf(name));
  const visit = (userId: string, section: string, options = DESK) =>
    openLibrary(service, open, userId, `/organizations/${acme.id}/${section}`, options);

  const choose = async (page: Page, name: string, action: string): Promise<void> => {
    await page.getByRole('row').filter({ hasText: name }).locator('summary').click();
    await page.getByRole('button', { name: action, exact: true }).click();
  };
  const send = (page: Page, action: string): Promise<void> =>
    page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
  const said = (page: Page, text: string): Promise<void> => page.getByText(text).first().waitFor();

  it('invites somebody, and copies the link where there is no email', async () => {
    const { page, complaints } = await visit(ada.id, 'invitations');
    const { base } = service.api;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
    await page.getByRole('button', { name: 'Invite' }).click();
    await expectUsable(page);
    await page.getByLabel('Email', { exact: true }).fill('new@acme.test');
    await page.getByLabel('Role').selectOption('VIEWER');
    await page.getByLabel('Downloads').uncheck();
    await send(page, 'Invite');
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await expectUsable(page);
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    expect((await fetch(link)).status).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: 'new@acme.test' });
    expect(await row.innerText()).toContain('without Downloads');
    await choose(page, 'new@acme.test', 'Withdraw');
    await page.getByText('Nobody is invited at the moment.').waitFor();
    await until(page, `document.activeElement.tagName === 'H1'`);
    expect(complaints).toEqual([]);
  });

  it('changes roles and access, and says what ends with a membership', async () => {
    const [bob] = [user('Bob')];
    await service.import({ users: [bob] });
    const created = await done(
      as('Ada').post(`/organizations/${acme.id}/invitations`, { email: bob.email, role: 'ADMIN' }),
    );
    await done(as('Bob').post('/invitations/accept', { token: created.invite_token }));
    await done(
      as('Bob').post('/webhooks', {
        url: receiver.url('/bob'),
        types: ['member.*'],
        organization_id: acme.id,
      }),
    );
    const { page, complaints } = await visit(ada.id, 'members');
    await choose(page, 'Bob', 'Change access');
    await expectUsable(page);
    await page.getByLabel('Questions').uncheck();
    await send(page, 'Change access');
    await page.getByRole('cell', { name: 'without Questions' }).waitFor();
    await until(page, `document.activeElement.getAttribute('aria-label') === 'Actions for Bob'`);

    await choose(page, 'Bob', 'Change role');
    await page.getByRole('dialog').getByLabel('Role').selectOption('EDITOR');
    await send(page, 'Change role');
    await said(page, 'Saved Webhooks disabled: 1.');
    await choose(page, 'Bob', 'Remove');
    await page.getByLabel('Recordings pass to').selectOption({ label: `${RTL} (alan@acme.test)` });
    await expectUsable(page);
    await send(page, 'Remove');
    await said(page, 'Bob has been removed.');
    await page.getByRole('row').filter({ hasText: 'Bob' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('follows the role of who is demoted while looking, and keeps the page usable', async () => {
    const { page, complaints } = await visit(grace.id, 'webhooks');
    await page.getByRole('button', { name: 'New webhook' }).waitFor();
    await until(page, `performance.getEntriesByType('resource').some((one) => one.name.includes('/events'))`);
    await done(as('Ada').patch(`/organizations/${acme.id}/members/${grace.id}`, { role: 'VIEWER' }));
    await page.getByRole('heading', { name: 'As Viewer, you have no access to this section.' }).waitFor();
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await expectUsable(page);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('Only owners can change the settings.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await done(as('Ada').patch(`/organizations/${acme.id}/members/${grace.id}`, { role: 'ADMIN' }));
    await page.getByRole('link', { name: 'Audit log' }).waitFor();
    expect(complaints.filter((one) => !one.includes('403'))).toEqual([]);
  });

  it('restricts a folder to a member', async () => {
    const { page, complaints } = await visit(ada.id, 'folders');
    await choose(page, 'Plans', 'Edit');
    await page.getByLabel('Only for certain members').check();
    await page.getByLabel(`${RTL} (alan@acme.test)`).check();
    await expectUsable(page);
    await send(page, 'Edit');
    await page.getByRole('cell', { name: '1 member', exact: true }).waitFor();
    const all = await done(as('Ada').get(`/organizations/${acme.id}/folders`));
    expect(all.find((one: { id: string }) => one.id === plans.id).restricted_to).toEqual([alan.id]);
    await choose(page, 'Plans', 'Disable');
    await page.getByRole('cell', { name: 'inactive' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows that no app is let in, and keeps it so', async () => {
    await done(as('Ada').patch(`/organizations/${acme.id}`, { oauth_clients: [] }));
    const { page, complaints } = await visit(ada.id, 'settings');
    const apps = page.getByLabel('Connected apps let in');
    await apps.waitFor();
    expect(await apps.inputValue()).toBe('-');
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved');
    expect((await done(as('Ada').get(`/organizations/${acme.id}`))).oauth_clients).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('changes feature flags and the glossary, and keeps what another has written meanwhile', async () => {
    const { page, complaints } = await visit(ada.id, 'settings');
    await page.getByLabel('Share links').uncheck();
    await page.getByLabel('Connected apps let in').fill('https://assistant.example/client.json\nmrs\n');
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Saved');
    const { features, oauth_clients } = await done(as('Ada').get(`/organizations/${acme.id}`));
    expect(features).toMatchObject({ sharing: false, downloads: true });
    expect(oauth_clients).toEqual(['https://assistant.example/client.json', 'mrs']);
    await page.getByRole('link', { name: 'Glossary' }).click();
    await page.getByLabel('Terms').fill('LambdaClass = lambda glass; lander class\nA \\= B');
    await page.getByRole('button', { name: 'Save' }).click();
    await until(page, `document.querySelectorAll('.toast').length === 2`);
    const path = `/organizations/${acme.id}/glossary`;
    expect((await done(as('Ada').get(path))).terms).toEqual([
      { term: 'LambdaClass', heard_as: ['lambda glass', 'lander class'] },
      { term: 'A = B', heard_as: [] },
    ]);
    await done(as('Grace').request('PUT', path, { body: { terms: [{ term: 'Graces' }] } }));
    await page.getByLabel('Terms').fill('Mine');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Somebody else has changed the glossary' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Terms').inputValue()).toBe('Mine');
    expect((await done(as('Ada').get(path))).terms).toEqual([{ term: 'Graces', heard_as: [] }]);
    expect(complaints).toEqual([]);
  });

  it('shows the key of a service account once, and rotates and revokes it', async () => {
    const { page, complaints } = await visit(ada.id, 'service-accounts');
    await page.getByRole('button', { name: 'New service account' }).click();
    await page.getByLabel('Name').fill(HOSTILE.slice(0, 100));
    await page.getByLabel('The key may').selectOption('read-only');
    await send(page, 'New service account');
    const key = await page.locator('.secret').innerText();
    await expectUsable(page);
    expect((await service.api.as(key).get('/recordings')).status).toBe(200);
    expect((await service.api.as(key).post('/recordings', { title: 'x' })).status).toBe(403);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Wrenfield' }).click();
    await page.getByRole('heading', { name: 'Keys of <img' }).waitFor();
    await expectUsable(page);
    await choose(page, 'mrs_', 'Rotate');
    await send(page, 'Rotate');
    const next = await page.locator('.secret').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await until(page, `document.querySelectorAll('tbody tr').length === 2`);
    await choose(page, next.slice(0, 12), 'Revoke');
    await send(page, 'Revoke');
    await page.getByRole('cell', { name: 'revoked' }).waitFor();
    expect((await service.api.as(next).get('/recordings')).status).toBe(401);
    expect(complaints).toEqual([]);
  });

  it('creates a webhook, tests it, and sends a delivery again', async () => {
    const { page, complaints } = await visit(ada.id, 'webhooks');
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('URL').fill(receiver.url('/hook'));
    await page.getByLabel('What it is for').fill(HOSTILE.slice(0, 200));
    await page.getByLabel('Folder').check();
    await send(page, 'New webhook');
    expect(await page.locator('.secret').innerText()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: '<img' }).click();
    await page.getByText('recording.*, folder.*').waitFor();
    receiver.next = [{ status: 500, body: 'Out of <b>paper' }];
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('cell', { name: 'failed · 500' }).waitFor();
    await expectUsable(page);
    await page.getByRole('button', { name: 'Webhook test' }).click();
    await page.getByText('Out of <b>paper').waitFor();
    expect(await page.locator('pre').first().innerText()).toContain('"type": "webhook.test"');
    await expectUsable(page);
    await send(page, 'Send again');
    await page.getByRole('dialog').getByText('delivered · 204', { exact: true }).waitFor();
    expect(receiver.types('/hook')).toEqual(['webhook.test', 'webhook.test']);
    await page.keyboard.press('Escape');
    await page.getByLabel('Status').selectOption('failed');
    await page.getByText('Nothing has been sent.').waitFor();
    expect(page.url()).toContain('status=failed');
    await page.getByRole('button', { name: 'Delete' }).click();
    await send(page, 'Delete');
    await page.waitForURL(`**/organizations/${acme.id}/webhooks`);
    expect(complaints).toEqual([]);
  });

  it('finds who did what in the audit log, by filters in the URL, and downloads it', async () => {
    await done(as('Ada').patch(`/organizations/${acme.id}/members/${alan.id}`, { role: 'VIEWER' }));
    const { page, complaints } = await visit(ada.id, 'audit');
    await page.getByLabel('What').selectOption('member.*');
    await page.getByLabel('Who').selectOption({ label: 'Ada (ada@acme.test)' });
    const row = page.getByRole('row').filter({ hasText: 'role: EDITOR → VIEWER' });
    await row.waitFor();
    expect(await row.innerText()).toContain(`Member changed: ${RTL}`);
    expect(page.url()).toContain(`type=member.*&actor_id=${ada.id}`);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('Audit log.ndjson');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01');
    await page.getByText('Nothing matches these filters.').waitFor();
    await page.reload();
    await page.getByText('Nothing matches these filters.').waitFor();
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('2020-01-01');
    expect(complaints).toEqual([]);
  });

  it('offers ownership, which is accepted, and deletes an organization by its name', async () => {
    const { page, complaints } = await openLibrary(service, open, ada.id, '/organizations');
    await page.getByRole('button', { name: 'New organization' }).click();
    await page.getByLabel('Name').fill('Passing');
    await send(page, 'New organization');
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    const id = /organizations\/([^/]+)/.exec(page.url())?.[1] ?? '';
    const invited = await done(
      as('Ada').post(`/organizations/${id}/invitations`, { email: grace.email, role: 'EDITOR' }),
    );
    await done(as('Grace').post('/invitations/accept', { token: invited.invite_token }));
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Offer ownership' }).click();
    await send(page, 'Offer ownership');
    await page.getByRole('button', { name: 'Cancel the offer' }).waitFor();

    const other = await openLibrary(service, open, grace.id, '/organizations');
    await other.page.getByRole('button', { name: 'Accept' }).click();
    await said(other.page, 'You are the owner now');
    await page.getByText('Only owners can change the settings.').waitFor();
    await other.page.getByRole('link', { name: 'Passing' }).click();
    await other.page.getByRole('link', { name: 'Settings' }).click();
    await other.page.getByRole('button', { name: 'Delete organization' }).click();
    await other.page.getByLabel('Type the name').fill('Passin');
    await send(other.page, 'Delete organization');
    expect(await other.page.getByLabel('Type the name').count()).toBe(1);
    await other.page.getByLabel('Type the name').fill('Passing');
    await send(other.page, 'Delete organization');
    await other.page.waitForURL('**/app/organizations');
    expect((await as('Grace').get(`/organizations/${id}`)).status).toBe(404);
    expect(complaints.filter(isNotMissing)).toEqual([]);
  });

  it.each([
    ['a desktop', DESK],
    ['a phone at night, in German', { ...PHONE_AT_NIGHT, locale: 'de-DE' }],
  ])('is usable in each section with hostile names, on %s', async (_, options) => {
    const { page, complaints } = await openLibrary(service, open, ada.id, '/organizations', options);
    await page.getByRole('link', { name: '<img' }).waitFor();
    await until(page, `!document.querySelector('.loading-note')`);
    await expectUsable(page);
    for (const section of SECTIONS) {
      await page.goto(`${service.api.base}/app/organizations/${hostile.id}/${section}`);
      await page.locator('.manage h1').waitFor();
      await until(page, `!document.querySelector('.loading-note')`);
      await expectUsable(page);
    }
    expect(complaints.filter(isNotMissing)).toEqual([]);
  });

  it('is done with the keyboard alone, on a phone at night, in German', async () => {
    const { page } = await visit(ada.id, 'folders', { ...PHONE_AT_NIGHT, locale: 'de-DE' } as typeof DESK);
    await page.getByRole('button', { name: 'Neuer Ordner' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expectUsable(page);
    await page.getByLabel('Name').focus();
    await page.keyboard.type('Plans');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Plans');
    await page.getByLabel('Name').fill('Pläne');
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Pläne' }).waitFor();
    await until(page, `document.activeElement.textContent.includes('Neuer Ordner')`);
    await expectUsable(page);
  });
});
