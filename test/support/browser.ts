import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { chromiumPath } from './requirements.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** `more`: further arguments of Chromium. */
export function openBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  });
}

/** A page, and its problems: script errors, console messages, requests to other hosts. */
export interface WatchedPage {
  readonly page: Page;
  readonly complaints: string[];
}

/** A new page with its own cookies. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  // Not `browser.newPage`, whose context takes no second page, and ends with the first.
  const page = await (await browser.newContext(options)).newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^((data|blob):|http:\/\/(localhost|127\.0\.0\.1):)/.test(request.url()))
      complaints.push(request.url());
  });
  return { page, complaints };
}

/** Called in a `describe`, starts a browser for its tests, and closes after each test the pages that it opened. `more`: of `openBrowser`. */
export function pagesOfTests(
  more?: readonly string[],
): (options?: BrowserContextOptions) => Promise<WatchedPage> {
  let browser: Browser;
  const opened: WatchedPage[] = [];
  beforeAll(async () => {
    browser = await openBrowser(more);
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    for (const { page } of opened.splice(0)) await page.context().close();
  });
  return async (options) => {
    const watched = await openPage(browser, options);
    opened.push(watched);
    return watched;
  };
}

/** Polls from outside the page, as its content security policy forbids `eval`. */
export async function until(page: Page, expression: string, withinMs = 30_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await page.evaluate(expression))) {
    if (Date.now() > deadline) throw new Error(`Timed out waiting for: ${expression}`);
    await setTimeout(50);
  }
}

export const mute = (page: Page): Promise<unknown> =>
  page.evaluate('document.querySelector("video").muted = true');

/** Waits until the video plays a little after `from`, in seconds. */
export async function playsOn(page: Page, from: number): Promise<void> {
  await until(
    page,
    `(() => { const v = document.querySelector('video'); return !v.paused && v.currentTime > ${from + 0.2} && v.currentTime < ${from + 8}; })()`,
  );
}

/** The violations that axe finds: rules and elements. Its code is injected past the page's policy. */
export async function violations(page: Page): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  const { frameTree } = await client.send('Page.getFrameTree');
  const { executionContextId } = await client.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const run = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await client.send('Runtime.evaluate', {
      expression,
      contextId: executionContextId,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  await run(await readFile(AXE, 'utf8'));
  const options = { runOnly: { type: 'tag', values: WCAG } };
  const results = (await run(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults;
  return results.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join(' | ')}`,
  );
}
