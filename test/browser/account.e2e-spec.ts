import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { csrfToken } from '../../src/platform/http/requests/session-cookie.js';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { keyOf, member, organization, user } from '../factories/workspace.js';
import { pagesOfTests, until, violations } from '../support/browser.js';
import { done, SESSION } from '../support/client.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';
import { sessionOf } from '../support/sessions.js';

const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE_AT_NIGHT = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark' as const,
};
const NAME = `<img src=x onerror=alert(1)> ${'Wrenfieldrobotics'.repeat(8)}`;
const [ada, grace] = [user('Ada'), user('Grace')];
const acme = organization(NAME, { members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')] });

CHROMIUM.describe('the account page in a browser', () => {
  let service: TestService;
  let base: string;
  const open = pagesOfTests();

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [ada, grace], organizations: [acme] });
    // Browsers make no passkeys for an address without a name.
    base = service.api.base.replace('127.0.0.1', 'localhost');
  });
  afterAll(() => service?.stop());

  async function visit(userId: string, options: BrowserContextOptions = DESK) {
    const opened = await open(options);
    const token = (await sessionOf(service, userId)).slice(SESSION.length);
    await opened.page.context().addCookies([{ name: 'mrs_session', value: token, url: base }]);
    await opened.page.goto(`${base}/account`);
    return { ...opened, token };
  }

  /** A device that has a place for passkeys, and whose user agrees to everything. */
  async function withAuthenticator(page: Page): Promise<void> {
    const client = await page.context().newCDPSession(page);
    await client.send('WebAuthn.enable');
    await client.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  }

  const fits = (page: Page): Promise<boolean> =>
    page.evaluate('document.documentElement.scrollWidth <= innerWidth');

  it('adds a passkey, with which one signs in without typing anything', async () => {
    const { page, complaints, token } = await visit(ada.id);
    await withAuthenticator(page);
    await page.fill('#passkey-name', 'Test <b>device');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('Test <b>device').waitFor();
    expect(await violations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.locator('#passkey-mistake').waitFor();
    expect(await page.textContent('#passkey-mistake')).toBe(
      'There is already a passkey for your account on this device.',
    );

    await page.context().clearCookies();
    await page.goto(`${base}/sign-in?to=/account`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${base}/account`);
    expect(await page.textContent('#sessions')).toContain('Signed in with a passkey');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: 'mrs_session', httpOnly: true, sameSite: 'Lax' });
    expect(cookie?.value).not.toBe(token);
    expect(complaints).toEqual([]);

    await page.getByRole('link', { name: 'Remove' }).click();
    await page.getByRole('heading', { name: 'Remove the passkey Test <b>device?' }).waitFor();
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByText('You have no passkey').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(`${base}/sign-in**`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.locator('#passkey-mistake').waitFor();
    expect(await page.textContent('#passkey-mistake')).toBe(
      'This passkey was not accepted. Try again, or sign in another way.',
    );
  });

  it('says that no passkey was chosen, in German', async () => {
    const { page } = await visit(grace.id, { ...DESK, locale: 'de-DE' });
    const client = await page.context().newCDPSession(page);
    await client.send('WebAuthn.enable');
    await page.evaluate(
      `navigator.credentials.create = () => Promise.reject(new DOMException('', 'NotAllowedError'))`,
    );
    await page.getByRole('button', { name: 'Passkey hinzufügen' }).click();
    await page.locator('#passkey-mistake').waitFor();
    expect(await page.textContent('#passkey-mistake')).toBe('Es wurde kein Passkey ausgewählt.');
  });

  it.each([
    ['a desktop', DESK, /^Copied$/],
    ['a phone at night, in German', { ...PHONE_AT_NIGHT, locale: 'de-DE' }, /^Kopiert$/],
  ])('creates a key and copies it, with the keyboard, on %s', async (_, options, copied) => {
    const { page, complaints } = await visit(grace.id, options);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
    await page.focus('summary');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('laptop');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
    await page.focus('#key-name');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#key');
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
    await page.click('[data-copies=key]');
    await page.getByRole('button', { name: copied }).waitFor();
    const key = String(await page.evaluate('navigator.clipboard.readText()'));
    expect((await service.api.as(key).get('/recordings')).status).toBe(200);
    expect((await service.api.as(key).get('/events')).status).toBe(403);
    await page.getByRole('link').click();
    await page.waitForSelector('#keys');
    expect(await page.textContent('#keys')).toContain('recordings:read');
    expect(complaints).toEqual([]);
  });

  it('is left once the session has ended elsewhere', async () => {
    const { page, token } = await visit(ada.id);
    await until(page, `performance.getEntriesByType('resource').length > 2`);
    const api = service.api.as(SESSION + token);
    const current = (await done(api.get('/me/sessions'))).find(
      (one: { is_current: boolean }) => one.is_current,
    );
    const ends = done(service.api.as(keyOf('Ada')).delete(`/me/sessions/${current.id}`));
    await page.waitForURL(`${base}/sign-in?to=/account`, { timeout: 5_000 });
    await ends;
  });

  it('works without scripts', async () => {
    const { page, token } = await visit(ada.id, { ...DESK, javaScriptEnabled: false });
    await page.fill('#name', 'Ada L.');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${base}/account#profile`);
    expect(await page.inputValue('#name')).toBe('Ada L.');
    await page.getByRole('link', { name: 'Leave' }).click();
    await page.getByRole('button', { name: 'Leave organization' }).click();
    expect(await page.textContent('#mistake')).toContain('You are its last owner');
    expect(await page.getByRole('button').count()).toBe(1);
    expect(await page.content()).toContain(csrfToken(token));
  });
});
