import { setTimeout } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { chromiumPath } from './requirements.js';

export function openBrowser(): Promise<Browser> {
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
  const page = await browser.newPage(options);
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

/** Polls from outside the page, as its content security policy forbids `eval`. */
export async function until(page: Page, expression: string, withinMs = 10_000): Promise<void> {
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
