import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { keyOf, user } from '../factories/workspace.js';
import { mute, pagesOfTests, playsOn, until, type WatchedPage } from '../support/browser.js';
import type { Client } from '../support/client.js';
import { uploadHeld } from '../support/conversions.js';
import { settled } from '../support/packaged.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';

CHROMIUM.describe('the share page of a recording that is being converted', () => {
  let service: TestService;
  let ada: Client;
  const open = pagesOfTests();

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    ada = service.api.as(keyOf('Ada'));
    await service.import({ users: [user('Ada')] });
  });
  afterAll(() => service.stop());

  async function visit(id: string): Promise<WatchedPage> {
    const { body } = await ada.post(`/recordings/${id}/share-link`, {});
    const watched = await open();
    await watched.page.goto(`${service.api.base}/s/${body.data.share_token}`);
    return watched;
  }

  const play = async (page: Page): Promise<void> => {
    await mute(page);
    await page.locator('video').focus();
    await page.keyboard.press('Space');
    await playsOn(page, 0);
  };
  const source = (page: Page): Promise<string> => page.evaluate('document.querySelector("video").currentSrc');
  const seek = async (page: Page, seconds: number): Promise<void> => {
    await page.evaluate(`document.querySelector('video').currentTime = ${seconds}`);
    await until(
      page,
      `(() => { const v = document.querySelector('video'); return !v.seeking && v.readyState >= 3 && Math.abs(v.currentTime - ${seconds}) < 1; })()`,
    );
  };

  it('plays and seeks in the file as it was uploaded, goes on with it, and plays HLS when it is loaded again', async () => {
    const { id, detail, signal } = await uploadHeld(ada);
    const { page, complaints } = await visit(id);
    await play(page);
    await seek(page, 5);
    const begun = await source(page);
    expect(begun).toContain('file=source');

    signal('SIGCONT');
    await settled(ada, id);
    await seek(page, 1);
    await page.evaluate('document.querySelector("video").play()');
    await playsOn(page, 1);
    expect(await source(page)).toBe(begun);

    // Without anything in the browser's buffers.
    const { page: player } = await open();
    await player.goto(detail.videoUrl);
    await seek(player, 6);
    expect(await player.evaluate('document.querySelector("video").videoWidth')).toBe(720);

    await page.reload();
    const segments: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/media.mp4')) segments.push(response.url());
    });
    await play(page);
    expect(segments.length).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  });

  it('is loaded again by itself when the conversion has ended, unless it is being watched', async () => {
    const { id, signal } = await uploadHeld(ada);
    const [idle, watched] = [await visit(id), await visit(id)];
    for (const { page } of [idle, watched]) await page.evaluate('globalThis.isSamePage = true');
    await play(watched.page);
    const reloaded = idle.page.waitForEvent('load');
    signal('SIGCONT');
    await settled(ada, id);
    const look = `document.dispatchEvent(new Event('visibilitychange'))`;
    // If it looks by itself at this moment, it is loaded again meanwhile.
    await idle.page.evaluate(look).catch(() => reloaded);
    await watched.page.evaluate(look);
    await reloaded;
    await until(idle.page, `document.querySelector('video')?.poster.includes('/thumbnail') ?? false`);
    expect(await watched.page.evaluate('globalThis.isSamePage')).toBe(true);
  });
});
