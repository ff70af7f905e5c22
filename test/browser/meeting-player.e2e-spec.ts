import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { compilePlayer } from '../../scripts/compile.js';
import { keyOf, recording, transcript, user } from '../factories/workspace.js';
import { browserToken } from '../support/browser-tokens.js';
import { pagesOfTests, until, type WatchedPage } from '../support/browser.js';
import type { Client } from '../support/client.js';
import { DESK, expectUsable, PHONE_AT_NIGHT } from '../support/library.js';
import { settled, upload } from '../support/packaged.js';
import { CHROMIUM } from '../support/requirements.js';
import { startService, type TestService } from '../support/service.js';

const HLS = createRequire(import.meta.url).resolve('hls.js/dist/hls.light.mjs');
const HOSTILE = `<img src=x onerror=alert(1)> שלום ${'Wrenfieldrobotics'.repeat(8)}`;
const SUMMARY = {
  content: '',
  topics: [
    { title: 'Arrival', start: 0, keyPoints: [] },
    { title: 'Loading dock', start: 10, keyPoints: [] },
    { title: 'Without a time', keyPoints: [] },
  ],
};

/** The least that the page of another site has to permit, and trusted types, which forbid HTML in scripts. */
const policyFor = (service: string): string =>
  `default-src 'none'; script-src 'self' 'nonce-host'; connect-src ${service}; media-src ${service} blob:; img-src ${service}; ` +
  `require-trusted-types-for 'script'; base-uri 'none'`;
const page = (hasHls: boolean): string => `<!DOCTYPE html><html lang="en"><title>Intranet</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
${hasHls ? '<script type="importmap" nonce="host">{"imports":{"hls.js/light":"/hls.mjs"}}</script>' : ''}
<script type="module" src="/player.mjs"></script><main><h1>Intranet</h1></main>`;

CHROMIUM.describe('<meeting-player> on another site', () => {
  const open = pagesOfTests();
  const hostile = recording('Ada', {
    title: HOSTILE,
    media: 'film.mp4',
    transcript: {
      language: 'en',
      segments: [0, 1, 2].map((start) => {
        return { start, end: start + 1, speaker: `${HOSTILE}${start}`, text: HOSTILE, confidence: 1 };
      }),
    },
    summary: { content: HOSTILE, topics: [{ title: HOSTILE, start: 1, keyPoints: [] }] },
  });
  let service: TestService;
  let site: Server;
  let player: string;
  let ada: Client;
  let film: string;

  beforeAll(async () => {
    player = await mkdtemp(join(tmpdir(), 'mrs-player-'));
    await compilePlayer(process.cwd(), player);
    site = createServer((request, response) => void serve(request.url ?? '', response));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    service = await startService({ CORS_ORIGINS: siteUrl() }, { worker: true });
    await service.import(
      { users: [user('Ada')], recordings: [hostile] },
      { 'film.mp4': await readFile('demo/media/depot-walk-through.mp4') },
    );
    ada = service.api.as(keyOf('Ada'));
    film = await upload(ada, await readFile('demo/media/depot-walk-through.mp4'), { title: 'Depot' });
    await settled(ada, film);
    for (const [part, body] of Object.entries({ transcript: transcript(9), summary: SUMMARY }))
      await ada.request('PUT', `/recordings/${film}/${part}`, {
        body,
        headers: { 'content-type': 'application/json' },
      });
  }, 90_000);
  afterAll(async () => {
    site.close();
    await service.stop();
    await rm(player, { recursive: true });
  });

  const siteUrl = (): string => `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const srcOf = (id: string): string => `${service.api.base}/api/v1/recordings/${id}`;

  async function serve(url: string, response: ServerResponse): Promise<void> {
    const isScript = url.endsWith('.mjs');
    response.setHeader('Content-Security-Policy', policyFor(service.api.base));
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    const file = url === '/hls.mjs' ? HLS : join(player, 'meeting-player.js');
    response.end(isScript ? await readFile(file) : page(url !== '/?plain'));
  }

  /** A page with a player that has these properties, and what the host hears of it, in `heard`. */
  async function embed(
    properties: object,
    address = siteUrl(),
    options: object = DESK,
  ): Promise<WatchedPage> {
    const watched = await open(options);
    await watched.page.goto(address);
    await watched.page.evaluate(`(({ lang = 'en', start = 0, ...others }) => {
      globalThis.element = document.createElement('meeting-player');
      globalThis.heard = [];
      for (const type of ['ready', 'segment', 'error', 'timeupdate'])
        element.addEventListener(type, ({ detail }) => heard.push([type, detail]));
      element.setAttribute('lang', lang);
      element.setAttribute('start', start);
      Object.assign(element, others);
      document.querySelector('main').append(element);
    })(${JSON.stringify(properties)})`);
    return watched;
  }

  const heard = (target: Page, type: string): Promise<unknown[]> =>
    target.evaluate(`heard.filter(([type]) => type === '${type}').map(([, detail]) => detail)`);
  const hears = (target: Page, type: string): Promise<void> =>
    until(target, `heard.some(([type]) => type === '${type}')`);
  const plays = (target: Page, from: number): Promise<void> =>
    until(target, `!element.shadowRoot.querySelector('video').paused && element.currentTime > ${from + 0.2}`);
  const play = (target: Page): Promise<unknown> =>
    target.evaluate(`element.shadowRoot.querySelector('video').muted = true; element.play()`);
  const shown = (target: Page): Promise<string> => target.evaluate('element.shadowRoot.textContent');

  it('plays HLS under a strict policy, follows what is said, and tells the page', async () => {
    const { page: host, complaints } = await embed({ src: srcOf(film), token: keyOf('Ada'), start: '1.5' });
    await hears(host, 'ready');
    expect(await heard(host, 'ready')).toEqual([{ title: 'Depot', duration: expect.closeTo(18.3, 0) }]);
    await until(host, `element.shadowRoot.querySelectorAll('[part~=segment]').length === 9`);
    const colors = `new Set([...element.shadowRoot.querySelectorAll('[part~=speaker]')].map((name) => getComputedStyle(name).color)).size`;
    expect(await host.evaluate(colors)).toBe(2);
    await play(host);
    await plays(host, 2);
    expect(await host.evaluate(`element.shadowRoot.querySelector('video').src`)).toMatch(/^blob:/);
    expect((await heard(host, 'segment')).slice(0, 2)).toMatchObject([
      { segment: { id: 0, speaker: 'Ada', start: 0, text: 'Sentence 0' } },
      { segment: { id: 1, speaker: 'Grace', text: 'Sentence 1' } },
    ]);
    expect(await host.locator('#rows [aria-current]').innerText()).toContain('Sentence 1');
    await host.getByRole('link', { name: 'Loading dock' }).click();
    await plays(host, 10);
    expect(await host.locator('[part~=chapter][aria-current]').innerText()).toContain('Loading dock');
    expect(await host.locator('[part~=chapter]').count()).toBe(2);
    await host.evaluate('element.pause(); element.seek(4.5)');
    expect((await heard(host, 'timeupdate')).at(-1)).toEqual({ currentTime: 4.5 });
    expect(await host.locator('#rows [aria-current]').innerText()).toContain('Sentence 2');
    expect(host.url()).toBe(`${siteUrl()}/`);
    await expectUsable(host);
    expect(complaints).toEqual([]);
  });

  it('plays with a browser token for its page, without CORS_ORIGINS, and continues with the next one', async () => {
    const elsewhere = siteUrl().replace('127.0.0.1', 'localhost');
    const scopes = ['recordings:read', 'transcripts:read'];
    const fields = { scopes, recordings: [film], origins: [elsewhere], expires_in: 60 };
    const expire = (count: number): void => service.setNow(new Date(Date.now() + count * 61_000));
    const renew = async (target: Page): Promise<unknown> =>
      target.evaluate(`element.token = '${await browserToken(ada, fields)}'`);
    const { page: host } = await embed({ src: srcOf(film), token: 'two\nlines' }, elsewhere);
    await hears(host, 'error');
    const token = await browserToken(ada, fields);
    expire(1);
    await host.evaluate(`heard.length = 0; element.token = '${token}'`);
    await hears(host, 'error');
    expect(await heard(host, 'error')).toMatchObject([{ code: 'TOKEN_EXPIRED', status: 401 }]);
    expect(await shown(host)).toContain('Your session has ended');
    await renew(host);
    await hears(host, 'ready');
    expire(2);
    await play(host);
    await until(host, `heard.filter(([type]) => type === 'error').length === 2`);
    await renew(host);
    await plays(host, 0);
    service.setNow(null);
  });

  it('opens a share link with its password, in German, on a phone at night', async () => {
    const link = (await ada.post(`/recordings/${film}/share-link`, { password: 'depot-2026' })).body.data;
    const src = link.share_url.replace(/^https?:\/\/[^/]+/, service.api.base);
    const { page: host } = await embed({ src, lang: 'de-AT', start: '6' }, siteUrl(), PHONE_AT_NIGHT);
    await hears(host, 'error');
    expect(await heard(host, 'error')).toMatchObject([{ code: 'SHARE_PASSWORD_REQUIRED', status: 403 }]);
    expect(await shown(host)).toContain('Für diese Aufnahme ist ein Passwort nötig.');
    await host.evaluate(`element.password = 'depot-2026'`);
    await hears(host, 'ready');
    await until(host, `element.shadowRoot.querySelector('video').readyState > 0`);
    expect(await host.evaluate('element.currentTime')).toBe(6);
    expect(await shown(host)).toMatch(/Kapitel[^]*Loading dock[^]*Transkript[^]*Sentence 3/);
    await expectUsable(host);
    await ada.delete(`/recordings/${film}/share-links/${link.id}`);
    await host.evaluate('element.src += "?t=4"');
    await until(host, `element.shadowRoot.textContent.includes('Aufnahme nicht verfügbar')`);
  });

  it('plays the file without hls.js, and shows what callers write as text', async () => {
    const { page: host, complaints } = await embed(
      { src: srcOf(hostile.id), token: keyOf('Ada') },
      `${siteUrl()}/?plain`,
    );
    await hears(host, 'ready');
    await until(host, `element.shadowRoot.querySelectorAll('#rows li').length === 3`);
    expect(await host.locator('meeting-player img').count()).toBe(0);
    expect(await host.locator('[part~=chapter]').innerText()).toContain(HOSTILE);
    expect(await host.locator('[part~=speaker]').first().innerText()).toContain(HOSTILE);
    await expectUsable(host);
    await play(host);
    await plays(host, 0);
    expect(complaints.filter((one) => !one.includes('hls.js'))).toEqual([]);
  });

  it('says what there is instead of a recording, and ends when it is removed', async () => {
    const { id } = (await ada.post('/recordings', { title: 'Soon' })).body.data;
    const { page: host } = await embed({ src: srcOf(id) });
    await until(host, `element.shadowRoot.textContent === 'Loading…'`);
    await host.evaluate(`element.token = '${keyOf('Ada')}'`);
    await hears(host, 'ready');
    const calls = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('${id}')).length`;
    expect(await host.evaluate(calls)).toBe(1);
    expect(await shown(host)).toMatch(/You can watch it here soon\.[^]*There is no transcript yet\./);
    await host.evaluate(`element.src = '${srcOf('')}'; heard.length = 0`);
    await hears(host, 'error');
    expect(await heard(host, 'error')).toMatchObject([{ code: 'INVALID_SRC', status: 0 }]);
    await host.evaluate(`element.src = '${srcOf(film)}'; heard.length = 0`);
    await hears(host, 'ready');
    await play(host);
    await plays(host, 0);
    await host.evaluate(`globalThis.video = element.shadowRoot.querySelector('video'); element.remove()`);
    expect(await host.evaluate(`[video.paused, video.getAttribute('src')]`)).toEqual([true, null]);
    await host.evaluate(`heard.length = 0; document.querySelector('main').append(element)`);
    await hears(host, 'ready');
  });
});
