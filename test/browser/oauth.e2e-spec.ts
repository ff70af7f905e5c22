import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { UnauthorizedError } from '@modelcontextprotocol/client';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { emailOf, keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { pagesOfTests, violations } from '../support/browser.js';
import { ClientDocuments } from '../support/client-documents.js';
import { done, SESSION } from '../support/client.js';
import { McpProgram } from '../support/mcp-program.js';
import { issuerOf, OAuthApp } from '../support/oauth.js';
import { until } from '../support/process.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';
import { sessionOf } from '../support/sessions.js';
import { SmtpServer } from '../support/smtp.js';

const NIGHT = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark' as const,
  locale: 'de-DE',
};
const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
const shared = recording('Ada', { title: 'Shared', organization: 'Acme' });
const personal = recording('Ada', { title: 'Personal' });

CHROMIUM.describe('connecting an app with a browser', () => {
  let smtp: SmtpServer;
  let documents: ClientDocuments;
  let service: TestService;
  let issuer: string;
  let mcp: string;
  const programs: McpProgram[] = [];
  const open = pagesOfTests();

  beforeAll(async () => {
    [smtp, documents] = await Promise.all([SmtpServer.start(), ClientDocuments.start()]);
    service = await startService(smtp.settings(), { worker: true });
    documents.reach(service);
    issuer = issuerOf(service);
    mcp = `${issuer}/mcp`;
    await service.import({ users: [user('Ada')], organizations: [acme], recordings: [shared, personal] });
  });
  afterAll(async () => {
    for (const started of programs) started.stop();
    await service?.stop();
    await smtp.stop();
    await documents.stop();
  });

  async function program(clientMetadataUrl?: string): Promise<McpProgram> {
    const started = await McpProgram.start(clientMetadataUrl);
    programs.push(started);
    return started;
  }

  async function isFine(page: Page): Promise<void> {
    const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
    expect([await violations(page), fits]).toEqual([[], true]);
  }

  /** A page of somebody who has signed in. */
  async function signedIn(options: BrowserContextOptions = {}) {
    const opened = await open(options);
    const { id } = await done(service.api.as(keyOf('Ada')).get('/me'));
    const value = (await sessionOf(service, id)).slice(SESSION.length);
    await opened.page.context().addCookies([{ name: 'mrs_session', value, url: issuer }]);
    return opened;
  }

  it('connects with nothing but the URL: signs in by mail, narrows, refreshes, and learns that it was disconnected', async () => {
    const desk = await program();
    await expect(desk.connect(mcp)).rejects.toThrow(UnauthorizedError);
    const { page, complaints } = await open();
    await page.goto(desk.asked!.href);
    await page.fill('#email', emailOf('Ada'));
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await until('the email', () => smtp.mails.length > 0);
    const { pathname, search } = new URL(/http:\S+/.exec(smtp.mails[0]!.text)?.[0] ?? '');
    await page.goto(issuer + pathname + search);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/oauth/consent/*');
    expect(await page.textContent('h1')).toBe('Desk agent asks to act for you');
    await isFine(page);
    await page.getByLabel('see share links').uncheck();
    await page.getByLabel('Only in these organizations:').check();
    await page.getByRole('button', { name: 'Connect' }).click();
    expect(await page.textContent('#mistake')).toBe('Choose at least one organization.');
    await page.getByLabel('Acme').check();
    await page.getByLabel('For how long').selectOption('7 days');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.waitForURL(`${desk.redirectUrl}**`);
    // The browser itself reports the 400.
    expect(complaints.filter((line) => !line.includes('400'))).toEqual([]);
    await desk.finish(mcp);
    const { agent } = await desk.connect(mcp);
    const titles = async (): Promise<string[]> =>
      (await agent.output('list_recordings')).recordings.map(({ title }: { title: string }) => title);
    expect(await titles()).toEqual(['Shared']);
    expect(await agent.tools()).not.toContain('list_share_links');
    const first = desk.tokens()!;
    expect(first.scope?.split(' ').sort()).toEqual(['questions', 'recordings:read', 'transcripts:read']);
    service.setNow(new Date(Date.now() + 16 * 60_000));
    try {
      expect(await titles()).toEqual(['Shared']);
      expect(desk.tokens()!.access_token).not.toBe(first.access_token);
      const ada = service.api.as(keyOf('Ada'));
      const [connection] = await done(ada.get('/me/connections'));
      await done(ada.delete(`/me/connections/${connection.id}`));
      desk.asked = undefined;
      await expect(titles()).rejects.toThrow(UnauthorizedError);
      expect([desk.tokens(), new URL(desk.asked!).pathname]).toEqual([undefined, '/oauth/authorize']);
    } finally {
      service.setNow(null);
    }
  });

  it('works with a metadata document, by night in German', async () => {
    const url = documents.publish('/desk.json', {
      client_name: 'Schreibtisch',
      // On whichever port the program waits.
      redirect_uris: ['http://127.0.0.1/callback'],
    });
    const desk = await program(url);
    await expect(desk.connect(mcp)).rejects.toThrow(UnauthorizedError);
    expect(desk.asked!.searchParams.get('client_id')).toBe(url);
    const { page, complaints } = await signedIn(NIGHT);
    await page.goto(desk.asked!.href);
    expect(await page.textContent('h1')).toBe('Schreibtisch möchte in Ihrem Namen handeln');
    expect(await page.textContent('main')).toContain(`Die App wird von ${new URL(url).host} veröffentlicht.`);
    await isFine(page);
    await page.getByRole('button', { name: 'Verbinden' }).click();
    await page.waitForURL(`${desk.redirectUrl}**`);
    expect(complaints).toEqual([]);
    await desk.finish(mcp);
    const { agent } = await desk.connect(mcp);
    const { recordings } = await agent.output('list_recordings');
    expect(recordings).toHaveLength(2);
  });

  it('works with a code that a device shows, and shows what is wrong with a request', async () => {
    const cli = OAuthApp.of(issuer, 'mrs');
    const { body } = await cli.post('/oauth/device-authorization', { scope: 'recordings:read' });
    const { user_code, verification_uri_complete: link } = body as unknown as Record<string, string>;
    const { page, complaints } = await signedIn(NIGHT);
    await page.goto(`${issuer}/oauth/device`);
    await isFine(page);
    await page.fill('#code', 'falsch');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#mistake');
    await isFine(page);
    await page.goto(link!);
    expect(await page.inputValue('#code')).toBe(user_code);
    await page.getByRole('button', { name: 'Weiter' }).click();
    await page.waitForURL('**/oauth/consent/*');
    await page.getByRole('button', { name: 'Verbinden' }).click();
    await page.waitForURL('**/oauth/device/*');
    expect(await page.textContent('h1')).toBe('Verbunden');
    await isFine(page);
    await page.goto(cli.authorizationUrl().href);
    expect(await page.textContent('h1')).toBe('Diese App kann nicht verbunden werden');
    await isFine(page);
    // The browser itself reports the 400.
    expect(complaints.filter((line) => !line.includes('400'))).toEqual([]);
  });
});
