import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { keyOf, user } from '../factories/workspace.js';
import { pagesOfTests, playsOn, until, violations } from '../support/browser.js';
import type { Client } from '../support/client.js';
import { DESK, expectUsable, openLibrary } from '../support/library.js';
import { settled, upload } from '../support/packaged.js';
import { CHROMIUM } from '../support/requirements.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { wav } from '../support/speech.js';

/** Tones, in hertz, which are told apart by listening. */
const VOICES = { Ada: 880, Grace: 440 };
const SECONDS = 12;

CHROMIUM.describe('one voice alone, in a browser', () => {
  let service: TestService;
  const person = user('Ada');
  const open = pagesOfTests();
  let ada: Client;
  let film: string;
  let podcast: string;

  beforeAll(async () => {
    service = await startService({ AUTO_TRANSCRIBE: 'false' }, { worker: true });
    await service.import({ users: [person] });
    ada = service.api.as(keyOf('Ada'));
    film = await upload(ada, await readFile('demo/media/depot-walk-through.mp4'), { title: 'Depot' });
    podcast = (await ada.post('/recordings', { title: 'Podcast', media: 'none' })).body.data.id;
    for (const id of [film, podcast])
      for (const [name, hertz] of Object.entries(VOICES)) await add(id, name, hertz);
    for (const id of [film, podcast]) {
      await eventually(async () => {
        const { data } = (await ada.get(`/recordings/${id}/tracks`)).body;
        expect(data.map(({ status }: { status: string }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
      }, 60_000);
      await settled(ada, id);
    }
  }, 120_000);
  afterAll(() => service.stop());

  async function add(id: string, name: string, hertz: number): Promise<void> {
    const { data } = (await ada.post(`/recordings/${id}/tracks`, { name, offset: 0 })).body;
    const body = wav(SECONDS, (time) => 0.3 * Math.sin(2 * Math.PI * hertz * time));
    const headers = { 'content-type': 'application/octet-stream' };
    await ada.request('PUT', `/recordings/${id}/tracks/${data.id}/media`, { body, headers });
  }

  async function link(id: string, fields: object = { tracks: true }): Promise<string> {
    const { data } = (await ada.post(`/recordings/${id}/share-link`, fields)).body;
    return `${service.api.base}/s/${data.share_token}`;
  }

  /** The loudest tone in hertz, near one that is expected. */
  const hears = (page: Page, hertz: number): Promise<void> =>
    until(
      page,
      `(() => {
        if (!globalThis.ear) {
          const context = new AudioContext();
          globalThis.ear = new AnalyserNode(context, { fftSize: 8192 });
          context.createMediaElementSource(document.querySelector('video')).connect(globalThis.ear);
        }
        const levels = new Float32Array(globalThis.ear.frequencyBinCount);
        globalThis.ear.getFloatFrequencyData(levels);
        const loudest = levels.indexOf(Math.max(...levels)) * globalThis.ear.context.sampleRate / 8192;
        return Math.abs(loudest - ${hertz}) < 10;
      })()`,
    );

  it('is chosen from a menu, heard with the picture from there on, and given up for everyone', async () => {
    const { page, complaints } = await open();
    const errors: number[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) errors.push(response.status());
    });
    await page.goto(await link(film));
    const menu = page.getByLabel('Voice');
    expect(await menu.isVisible()).toBe(false);
    await page.locator('video').focus();
    await page.keyboard.press('Space');
    await playsOn(page, 0);
    await menu.waitFor();
    expect(await menu.locator('option').allTextContents()).toEqual(['Everyone', 'Ada', 'Grace']);
    expect(await violations(page)).toEqual([]);

    await page.evaluate('document.querySelector("video").currentTime = 4');
    for (const [name, hertz] of Object.entries(VOICES)) {
      await menu.selectOption(name);
      await playsOn(page, 3.8);
      await hears(page, hertz);
    }
    expect(await page.evaluate('document.querySelector("video").videoWidth')).toBe(960);
    expect(await menu.inputValue()).toBe('Grace');

    // With the keyboard alone.
    await menu.focus();
    await page.keyboard.press('Home');
    await until(page, `document.querySelector('#voice').value === ''`);
    await playsOn(page, 3.8);
    expect(errors).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('is heard of a recording without picture, too', async () => {
    const { page, complaints } = await open();
    await page.goto(await link(podcast));
    await page.locator('video').focus();
    await page.keyboard.press('Space');
    await page.getByLabel('Voice').selectOption('Ada');
    await hears(page, 880);
    await page.getByLabel('Voice').selectOption('Grace');
    await hears(page, 440);
    expect(complaints).toEqual([]);
  });

  it('is not on offer without the permission, in a small page', async () => {
    const { page } = await open();
    await page.goto(await link(film, {}));
    await page.locator('video').focus();
    await page.keyboard.press('Space');
    await playsOn(page, 0);
    expect(await page.getByLabel('Voice').count()).toBe(0);
    expect(await page.content()).not.toContain('Grace');
  });

  it('that is deleted while it is heard gives way to everyone', async () => {
    await add(podcast, 'Guest', 660);
    await eventually(async () => {
      expect((await ada.get(`/recordings/${podcast}/tracks`)).body.data[2].status).toBe('COMPLETED');
    }, 60_000);
    const { page } = await open();
    await page.goto(await link(podcast));
    await page.locator('video').focus();
    await page.keyboard.press('Space');
    const menu = page.getByLabel('Voice');
    await menu.selectOption('Guest');
    await hears(page, 660);
    await service.dataSource.query(`DELETE FROM tracks WHERE name = 'Guest'`);
    await menu.selectOption('Ada');
    await until(page, `document.querySelector('#voice').length === 3`);
    await hears(page, 880);
  });

  it('is chosen in the library, and may be shared', async () => {
    const german = { ...DESK, locale: 'de-DE' };
    const { page, complaints } = await openLibrary(service, open, person.id, `/recordings/${film}`, german);
    await page.locator('video').focus();
    await page.keyboard.press('Space');
    const menu = page.getByLabel('Stimme');
    await menu.selectOption('Grace');
    await hears(page, 440);
    expect(await menu.locator('option').allTextContents()).toEqual(['Alle', 'Ada', 'Grace']);
    await page.keyboard.press('k');
    await expectUsable(page);

    await page.getByRole('button', { name: 'Teilen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Teilen' });
    await dialog.getByLabel('Interne Bezeichnung').fill('Spuren');
    await dialog.getByLabel('Sie können jede Spur einzeln hören').check();
    await dialog.getByRole('button', { name: 'Link erstellen' }).click();
    await dialog.getByText('Link erstellt.').waitFor();
    const links = (await ada.get(`/recordings/${film}/share-links`)).body.data;
    expect(links.find(({ label }: { label: string }) => label === 'Spuren').tracks).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('plays in FFmpeg, which finds all of them', async () => {
    const { hlsUrl } = (await ada.get(`/recordings/${film}`)).body.data;
    const url = service.api.base + new URL(hlsUrl).pathname;
    const { stdout } = await promisify(execFile)('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=codec_name',
      '-of',
      'json',
      url,
    ]);
    const { streams } = JSON.parse(stdout);
    const codecs = streams.map((stream: { codec_name: string }) => stream.codec_name);
    expect(codecs.toSorted()).toEqual(['aac', 'aac', 'aac', 'h264']);
  });
});
