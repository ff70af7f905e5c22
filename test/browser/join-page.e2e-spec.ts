import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { emailOf, keyOf, member, organization, user } from '../factories/workspace.js';
import { pagesOfTests, violations } from '../support/browser.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';

const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const NAME = `<img src=x onerror=alert(1)> \u202Elive ${'Wrenfieldrobotics'.repeat(8)}`;

const LINES_OF_BUTTON = `(() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector('[data-copies=key]'));
  return range.getClientRects().length;
})()`;

/** Pixels of the key that cannot be seen. */
const HIDDEN_KEY = `(() => {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.getElementById('key');
  return [scrollWidth - clientWidth, scrollHeight - clientHeight];
})()`;

CHROMIUM.describe('the page of an invitation in a browser', () => {
  let service: TestService;
  const open = pagesOfTests();
  let people = 0;
  const acme = organization(NAME, { members: [member('Ada', 'OWNER')] });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), user('Eve')], organizations: [acme] });
  });
  afterAll(() => service.stop());

  async function invited(email = `grace${(people += 1)}@new.test`): Promise<string> {
    const path = `/organizations/${acme.id}/invitations`;
    const { body } = await service.api.as(keyOf('Ada')).post(path, { email, role: 'EDITOR' });
    return body.data.invite_url;
  }

  async function visit(url: string, options: BrowserContextOptions) {
    const opened = await open(options);
    await opened.page.goto(url);
    return opened;
  }

  const fits = (page: Page): Promise<boolean> =>
    page.evaluate('document.documentElement.scrollWidth <= innerWidth');

  it.each([
    ['a desktop', DESK],
    ['a phone at night', { ...PHONE, colorScheme: 'dark' as const }],
  ])('is joined with a name on %s, signs in, and gives a key to copy', async (_, options) => {
    const url = await invited();
    const { page, complaints } = await visit(url, options);
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
    // The field has the focus.
    await page.keyboard.type('Grace <b>Hopper</b>');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#key', { state: 'attached' });
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
    await page.getByText('An API key for apps and scripts').click();
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
    expect(await page.textContent('h1')).toContain('Grace <b>Hopper</b>');
    expect(await page.evaluate(LINES_OF_BUTTON)).toBe(1);
    const key = (await page.textContent('#key'))!;
    expect(await page.evaluate(HIDDEN_KEY)).toEqual([0, 0]);
    const me = await service.api.as(key).get('/me');
    expect(await page.textContent('#curl')).toBe(
      `curl -H "Authorization: Bearer ${key}" ${new URL(url).origin}/api/v1/recordings`,
    );
    expect(me.body.data).toMatchObject({ name: 'Grace <b>Hopper</b>' });
    await page.getByRole('button', { name: 'Copy command' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(complaints).toEqual([]);
    await page.goto(url).catch(() => null);
    expect(await page.textContent('h1')).toBe("This invitation isn't available");
    await page.getByText('If you have joined already, sign in.').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('is joined without JavaScript', async () => {
    const { page } = await visit(await invited(), { ...DESK, javaScriptEnabled: false });
    await page.fill('#name', 'Grace');
    await page.click('button');
    expect(await page.textContent('#key')).toMatch(/^mrs_/);
    expect(await page.getByRole('button').count()).toBe(0);
  });

  it('says what is wrong, and keeps what was entered', async () => {
    const { page, complaints } = await visit(await invited(emailOf('Eve')), PHONE);
    expect(await page.isVisible('#key')).toBe(false);
    await page.getByText('I already have an account').click();
    await page.fill('#key', keyOf('Ada'));
    await page.keyboard.press('Enter');
    await page.waitForSelector('#mistake');
    expect(await page.textContent('#mistake')).toContain('This invitation is for another email address');
    expect([await violations(page), await fits(page)]).toEqual([[], true]);
    await page.fill('#key', keyOf('Eve'));
    await page.keyboard.press('Enter');
    await page.waitForSelector('.card-sign circle');
    await page.getByText('You are a member now, and signed in.').waitFor();
    expect(await violations(page)).toEqual([]);
    // The browser itself reports the 403.
    expect(complaints.filter((line) => !line.includes('403'))).toEqual([]);
  });
});
