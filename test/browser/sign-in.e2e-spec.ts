import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { emailOf, keyOf, member, organization, user } from '../factories/workspace.js';
import { pagesOfTests, violations } from '../support/browser.js';
import { until } from '../support/process.js';
import { ACME, IdentityServer } from '../support/identity-provider.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';
import { SmtpServer } from '../support/smtp.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const NIGHT = { ...PHONE, colorScheme: 'dark' as const };
const GERMAN = { ...NIGHT, locale: 'de-DE' };
CHROMIUM.describe('signing in with a browser', () => {
  let smtp: SmtpServer;
  let provider: IdentityServer;
  let service: TestService;
  let named: string;
  const open = pagesOfTests();
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });

  beforeAll(async () => {
    smtp = await SmtpServer.start();
    provider = await IdentityServer.start();
    const providers = JSON.stringify([{ ...ACME, issuer: provider.issuer }]);
    service = await startService({ ...smtp.settings(), IDENTITY_PROVIDERS: providers }, { worker: true });
    // Where people come back to, without `PUBLIC_URL`.
    named = service.api.base.replace('127.0.0.1', 'localhost');
    await provider.setUp(named);
    await service.import({ users: ['Ada', 'Eve'].map((name) => user(name)), organizations: [acme] });
  });
  afterAll(async () => {
    await service?.stop();
    provider.stop();
    await smtp.stop();
  });
  afterEach(() => {
    smtp.mails.length = 0;
  });

  /** The URL in the next email; the worker does not know the port of the service. */
  async function emailed(): Promise<string> {
    await until('the email', () => smtp.mails.length > 0);
    const { pathname, search } = new URL(/http:\S+/.exec(smtp.mails[0]!.text)?.[0] ?? '');
    return service.api.base + pathname + search;
  }

  async function invited(email: string): Promise<string> {
    const path = `/organizations/${acme.id}/invitations`;
    await service.api.as(keyOf('Ada')).post(path, { email, role: 'EDITOR' });
    return emailed();
  }

  async function visit(path: string, options: BrowserContextOptions) {
    const opened = await open(options);
    await opened.page.goto(new URL(path, service.api.base).href);
    return opened;
  }

  async function isFine(page: Page): Promise<void> {
    const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
    expect([await violations(page), fits]).toEqual([[], true]);
  }

  /** Who is signed in, as the API tells a page. */
  const me = (page: Page): Promise<unknown> =>
    page
      .context()
      .request.get(`${service.api.base}/api/v1/me`)
      .then(async (reply) => (await reply.json()).data);

  it('works with an identity provider, without a script', async () => {
    provider.accounts.set('eve', { email: emailOf('Eve'), email_verified: true });
    provider.visitor = 'eve';
    const { page } = await visit(`${named}/sign-in?to=/api/v1/me`, { ...PHONE, javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Sign in with Acme Login' }).click();
    await page.waitForURL('**/api/v1/me');
    const session = { way: 'provider', provider: 'acme' };
    const { data } = JSON.parse((await page.textContent('pre'))!) as { data: object };
    expect(data).toMatchObject({ email: emailOf('Eve'), session });
  });

  it.each([
    ['by day', PHONE, 'Sign in', 'Email me a link', 'Check your email'],
    ['at night in German', GERMAN, 'Anmelden', 'Link per E-Mail senden', 'Sehen Sie in Ihr Postfach'],
  ])('works with a link by mail %s', async (_, options, signIn, send, sent) => {
    const { page, complaints } = await visit('/sign-in?to=/api/v1/me', options);
    await isFine(page);
    expect(await page.textContent('h1')).toBe(signIn);
    await page.fill('#email', emailOf('Ada'));
    await page.getByRole('button', { name: send }).click();
    await page.waitForSelector('#email', { state: 'detached' });
    expect(await page.textContent('h1')).toBe(sent);
    await isFine(page);
    await page.goto(await emailed());
    await isFine(page);
    await page.getByRole('button', { name: signIn }).click();
    await page.waitForURL('**/api/v1/me');
    expect(await me(page)).toMatchObject({ name: 'Ada', session: { way: 'mail' } });
    expect(complaints).toEqual([]);
  });

  it('works with the keyboard and a pasted API key, and says what is wrong with one', async () => {
    const { page, complaints } = await visit('/sign-in?to=/api/v1/me', NIGHT);
    await page.getByText('Sign in with an API key').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('mrs_wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#mistake');
    expect(await page.textContent('#mistake')).toBe('This API key is invalid, expired or revoked.');
    await isFine(page);
    // The field has the focus.
    await page.keyboard.type(keyOf('Eve'));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/api/v1/me');
    expect(await me(page)).toMatchObject({ name: 'Eve', session: { way: 'api_key' } });
    // The browser itself reports the 401.
    expect(complaints.filter((line) => !line.includes('401'))).toEqual([]);
  });

  it('needs no script, from the invitation to the arrival', async () => {
    const { page } = await visit(await invited(emailOf('Eve')), { ...PHONE, javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Sign in to accept' }).click();
    smtp.mails.length = 0;
    await page.fill('#email', emailOf('Eve'));
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await page.goto(await emailed());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You are signed in as Eve').waitFor();
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    expect(await page.textContent('h1')).toBe('Welcome to Acme, Eve');
    expect(await me(page)).toMatchObject({ name: 'Eve', session: { way: 'mail' } });
  });

  it.each([
    ['by day', PHONE, 'Welcome to Acme, Grace', 'Continue'],
    ['at night in German', GERMAN, 'Willkommen bei Acme, Grace', 'Weiter'],
  ])('follows from joining as a new person %s', async (when, options, welcome, next) => {
    const { page, complaints } = await visit(await invited(`grace-${when.length}@acme.test`), options);
    await isFine(page);
    await page.fill('#name', 'Grace');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#key', { state: 'attached' });
    expect(await page.textContent('h1')).toBe(welcome);
    await isFine(page);
    expect(await page.getByRole('link', { name: next }).getAttribute('href')).toBe('/app');
    await page.locator('summary').click();
    await isFine(page);
    expect(await me(page)).toMatchObject({ name: 'Grace', session: { way: 'mail' } });
    expect(complaints).toEqual([]);
  });
});
