import { expect } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { violations, type WatchedPage } from './browser.js';
import { SESSION } from './client.js';
import type { TestService } from './service.js';
import { sessionOf } from './sessions.js';

export const DESK = { viewport: { width: 1280, height: 800 } };
export const PHONE_AT_NIGHT = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark' as const,
};

type Open = (options?: BrowserContextOptions) => Promise<WatchedPage>;

/** Opens a page of the library, with `open` of `pagesOfTests`, as somebody who is signed in. `path`: after `/app`. */
export async function openLibrary(
  service: TestService,
  open: Open,
  userId: string,
  path = '',
  options: BrowserContextOptions = DESK,
): Promise<WatchedPage> {
  const watched = await open(options);
  const token = (await sessionOf(service, userId)).slice(SESSION.length);
  await watched.page.context().addCookies([{ name: 'mrs_session', value: token, url: service.api.base }]);
  await watched.page.goto(`${service.api.base}/app${path}`);
  return watched;
}

/** Everybody can use the page as it is: axe finds nothing, and nothing is wider than the window. */
export async function expectUsable(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}
