import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Guides } from '../../src/platform/openapi/guides/guides.js';
import { pagesOfTests } from '../support/browser.js';
import { DESK, expectUsable, PHONE_AT_NIGHT } from '../support/library.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';

CHROMIUM.describe('the guides in a browser', () => {
  let service: TestService;
  const open = pagesOfTests();

  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0' });
  });
  afterAll(() => service.stop());

  it.each([
    ['on a desk', DESK],
    ['on a phone at night', PHONE_AT_NIGHT],
  ])('can all be read by anyone, offline, %s', async (_, options) => {
    const { page, complaints } = await open(options);
    const names = new Guides('').names.filter((name) => name !== 'README').map((name) => `/${name}`);
    for (const path of ['', '?q=webhook', '?q=nothing-at-all', ...names]) {
      await page.goto(`${service.api.base}/docs/guide${path}`);
      await expectUsable(page);
    }
    expect(complaints).toEqual([]);
  });

  it('are found from the API docs, and searched without a script', async () => {
    const { page, complaints } = await open({ javaScriptEnabled: false });
    await page.goto(`${service.api.base}/docs/guide/tour`);
    await page.fill('input[type=search]', 'lost updates');
    await page.click('button');
    await page.click('main h2 a');
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/docs/guide/api-guide#retries');
    expect(complaints).toEqual([]);
    const swagger = await open();
    await swagger.page.goto(`${service.api.base}/docs`);
    const opened = swagger.page.context().waitForEvent('page');
    await swagger.page.click('.info a[href$="docs/guide/api-guide"]');
    await (await opened).waitForURL('**/docs/guide/api-guide');
  });
});
