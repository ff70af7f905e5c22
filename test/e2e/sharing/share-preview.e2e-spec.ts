import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { ObjectStore } from '../../../src/platform/storage/object-store.js';
import { keyOf, recording, transcript, user } from '../../factories/workspace.js';
import { outcome, type Client, type Reply } from '../../support/client.js';
import { cheapPasswords } from '../../support/passwords.js';
import { startService, type TestService } from '../../support/service.js';

const BASE = 'https://example.com/base';
const SERVICE = 'Meeting Recording Service';
const HOSTILE = `"><script>alert(1)</script>'\u2028</title>`;
const PASSWORD = 'open sesame';
const PAGE_FILES = ['poster.jpg', 'oembed'];

describe('previews of a share link', () => {
  cheapPasswords();
  let service: TestService;
  let ada: Client;
  let poster: Buffer;
  const media = { media: 'call.mp4', createdAt: '2026-11-25T09:00:00Z' };
  const film = recording('Ada', { ...media, title: 'Weekly', transcript: transcript(131) });
  const hostile = recording('Ada', { title: HOSTILE, createdAt: '2026-11-25T09:00:00Z' });

  beforeAll(async () => {
    service = await startService({ PUBLIC_URL: BASE });
    ada = service.api.as(keyOf('Ada'));
    await service.import({ users: [user('Ada')], recordings: [film, hostile] }, { 'call.mp4': 'film' });
    // As 1.0.0 took it.
    await service.dataSource.query('UPDATE recordings SET title = $1 WHERE id = $2', [HOSTILE, hostile.id]);
    poster = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#123456' } })
      .jpeg({ mozjpeg: true })
      .toBuffer();
    const key = `recordings/${film.id}/packaged`;
    await service.app.get(ObjectStore).put(`${key}/thumbnail.jpg`, poster);
    await service.dataSource.query('UPDATE recordings SET package_key = $2 WHERE id = $1', [film.id, key]);
  });
  afterAll(() => service.stop());

  async function link(of: { id: string }, body: object = { label: 'a link of its own' }) {
    const { data } = (await ada.post(`/recordings/${of.id}/share-link`, body)).body;
    return { token: data.share_token as string, path: `/recordings/${of.id}/share-links/${data.id}` };
  }
  const open = (path: string, method = 'GET', on = service): Promise<Reply> =>
    on.api.request(method, `//s/${path}`);
  /** The meta tags of a page that programs read, by name. */
  async function tags(path: string): Promise<Record<string, string>> {
    const found = (await open(path)).body.matchAll(
      /<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">/g,
    );
    return Object.fromEntries([...found].map(([, name, content]: string[]) => [name, content]));
  }
  async function views(path: string): Promise<number> {
    const { body } = await ada.get(path.replace(/\/[^/]+$/, ''));
    return body.data.find(({ id }: { id: string }) => path.endsWith(id)).view_count;
  }

  it('have title, facts and a poster, at addresses of the public URL', async () => {
    const { token } = await link(film);
    const page = `${BASE}/s/${token}`;
    expect(await tags(token)).toEqual({
      'og:site_name': SERVICE,
      'og:type': 'video.other',
      'og:url': page,
      'og:title': 'Weekly',
      'og:description': '25 November 2026 · transcript',
      'og:image': `${page}/poster.jpg`,
      'og:image:type': 'image/jpeg',
      'og:image:width': '640',
      'og:image:height': '360',
      'og:image:alt': 'A picture from the recording',
      'twitter:card': 'summary_large_image',
      'twitter:title': 'Weekly',
      'twitter:description': '25 November 2026 · transcript',
      'twitter:image': `${page}/poster.jpg`,
    });
    expect((await open(token)).body).toContain(
      `<link rel="alternate" type="application/json+oembed" href="${page}/oembed" title="Weekly">`,
    );
  });

  it('keep their poster, without a cookie, for as long as the link lives', async () => {
    const { token, path } = await link(film);
    const load = (): Promise<Response> => fetch(`${service.api.base}/s/${token}/poster.jpg`);
    service.setNow(new Date(Date.now() + 300 * 24 * 60 * 60 * 1000));
    const response = await load();
    service.setNow(null);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(Buffer.from(await response.arrayBuffer()).equals(poster)).toBe(true);
    await ada.delete(path);
    expect((await load()).status).toBe(404);
  });

  it('describe the page to oEmbed consumers as a link, whatever the title is', async () => {
    const { token } = await link(film);
    const { status, headers, body } = await open(`${token}/oembed?format=json&url=ignored`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect([headers.get('x-content-type-options'), headers.get('x-robots-tag')]).toEqual([
      'nosniff',
      'noindex',
    ]);
    expect(body).toEqual({
      version: '1.0',
      type: 'link',
      title: 'Weekly',
      provider_name: SERVICE,
      provider_url: BASE,
      cache_age: 300,
      thumbnail_url: `${BASE}/s/${token}/poster.jpg`,
      thumbnail_width: 640,
      thumbnail_height: 360,
    });
    expect((await open(`${token}/oembed?maxwidth=639`)).body.thumbnail_url).toBeUndefined();
    const other = await link(hostile);
    expect((await open(`${other.token}/oembed`)).body).toMatchObject({ type: 'link', title: HOSTILE });
    const page = (await open(other.token)).body;
    expect(page).toContain('<meta property="og:title" content="&quot;&gt;&lt;script&gt;alert(1)');
    expect(page).not.toContain('<script>alert');
    expect(await tags(other.token)).toMatchObject({ 'og:type': 'website', 'twitter:card': 'summary' });
    expect((await open(`${other.token}/poster.jpg`)).status).toBe(404);
  });

  it('offer a frame only where the settings let sites show one', async () => {
    const framed = await startService(
      { PUBLIC_URL: BASE, SHARE_FRAME_ANCESTORS: 'https://wiki.example.com' },
      { beside: service },
    );
    const { token } = await link(film);
    const other = await link(hostile);
    const { body } = await open(`${token}/oembed?maxwidth=400&maxheight=9999`, 'GET', framed);
    const rich = await open(`${other.token}/oembed`, 'GET', framed);
    await framed.stop();
    expect(body).toMatchObject({ type: 'video', width: 400, height: 560 });
    expect(body.html).toBe(
      `<iframe src="${BASE}/s/${token}" width="400" height="560" title="Meeting recording" allow="fullscreen" allowfullscreen></iframe>`,
    );
    expect(rich.body).toMatchObject({ type: 'rich', width: 640 });
    expect(rich.body.html).not.toContain('alert');
  });

  it('show only the name of the service for a link with a password, and for one that does not open', async () => {
    const locked = await link(film, { password: PASSWORD });
    const expired = await link(film, { expires_at: new Date(Date.now() + 60_000).toISOString() });
    const nothing = { 'og:site_name': SERVICE, 'og:title': SERVICE };
    expect(await tags(locked.token)).toEqual(nothing);
    for (const file of PAGE_FILES)
      expect(outcome(await open(`${locked.token}/${file}`))).toEqual([403, 'SHARE_PASSWORD_REQUIRED']);
    expect(outcome(await open(`${locked.token}/views`, 'POST'))).toEqual([403, 'SHARE_PASSWORD_REQUIRED']);
    const { body } = await service.api.post(`/shares/${locked.token}/access`, { password: PASSWORD });
    const headers = { cookie: `share_access=${body.data.access_token}` };
    const unlocked = await service.api.get(`//s/${locked.token}`, { headers });
    expect(unlocked.body).toContain('<title>Weekly</title>');
    expect(unlocked.body).not.toMatch(/content="Weekly|oembed|poster\.jpg/);
    service.setNow(new Date(Date.now() + 120_000));
    const dead = [expired.token, 'unknown'];
    const shown = await Promise.all(dead.map(tags));
    const files = dead.flatMap((token) => PAGE_FILES.map((file) => open(`${token}/${file}`)));
    const counted = dead.map((token) => open(`${token}/views`, 'POST'));
    const outcomes = (await Promise.all([...files, ...counted])).map(outcome);
    service.setNow(null);
    expect(shown).toEqual([nothing, nothing]);
    expect(outcomes).toEqual(outcomes.map(() => [404, 'NOT_FOUND']));
  });

  it('are no views: only the script of a page that is seen reports one', async () => {
    const { token, path } = await link(film);
    for (const file of ['', '/poster.jpg', '/oembed']) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await open(`${token}${file}`, method);
        expect(status).toBe(200);
        // They count towards the same limit as the page.
        expect(Number(headers.get('ratelimit-limit'))).toBeGreaterThan(0);
      }
    }
    expect(await views(path)).toBe(0);
    const { status, headers } = await open(`${token}/views`, 'POST');
    expect([status, headers.has('ratelimit-limit')]).toEqual([204, true]);
    expect(await views(path)).toBe(1);
  });
});
