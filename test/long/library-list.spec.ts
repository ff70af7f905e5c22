import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { user } from '../factories/workspace.js';
import { pagesOfTests, until } from '../support/browser.js';
import { expectUsable, openLibrary } from '../support/library.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';

const MANY = 100_000;
const ROW = 84;
const ada = user('Ada');

CHROMIUM.describe('the list of very many recordings in a browser', () => {
  let service: TestService;
  const open = pagesOfTests();

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [ada] });
    // In parts, each within the time that a statement may take on a slow machine.
    for (let first = 1; first <= MANY; first += 10_000) {
      await service.dataSource.query(
        `INSERT INTO recordings (id, owner_id, title, status, progress, created_at, updated_at)
         SELECT gen_random_uuid(), $1, 'Meeting ' || n, 'COMPLETED', 1, moment, moment
         FROM generate_series($2::int, $2::int + 9999) n,
              LATERAL (SELECT timestamptz '2026-01-01' - n * interval '5 min' AS moment) t`,
        [ada.id, first],
      );
    }
    await service.dataSource.query('ANALYZE recordings');
  }, 300_000);
  afterAll(() => service?.stop());

  const count = (page: Page) => page.locator('.row').count();
  const focused = (page: Page) => page.evaluate('document.activeElement.textContent');

  it('paints soon, and scrolls as few do, with few rows in the page and the keyboard at hand', async () => {
    const { page, complaints } = await openLibrary(service, open, ada.id);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/api/v1/recordings') asked.push(search);
    });
    await page.reload();
    await page.locator('.row').first().waitFor();
    const paintedMs = await page.evaluate('performance.now()');
    process.stderr.write(`The first list was painted after ${Math.round(Number(paintedMs))} ms\n`);
    expect(asked).toEqual(['?limit=100']);
    expect(await page.getByText('100,000 recordings').isVisible()).toBe(true);
    expect(await page.locator('.row').first().getAttribute('aria-setsize')).toBe(String(MANY));

    let most = 0;
    for (let row = 0; row <= 5_000; row += 50) {
      await page.evaluate(`scrollTo(0, ${ROW * row})`);
      await until(page, `document.querySelector('.recordings').clientHeight > ${ROW * (row + 60)}`);
      most = Math.max(most, await count(page));
    }
    expect(most).toBeLessThan(60);
    expect(await page.evaluate('document.querySelectorAll("main *").length')).toBeLessThan(1_500);
    expect(asked.length).toBeLessThanOrEqual(53);
    expect(asked.slice(1).every((search) => search.includes('cursor='))).toBe(true);
    await expectUsable(page);

    await page.getByRole('link', { name: 'Meeting 5002', exact: true }).focus();
    for (let press = 0; press < 60; press += 1) await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe('Meeting 5062');
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Meeting 5063');
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('link', { name: 'Meeting 1', exact: true }).waitFor();
    expect(await focused(page)).toBe('Meeting 5063');
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe('Meeting 5062');
    expect(complaints).toEqual([]);
  }, 300_000);
});
