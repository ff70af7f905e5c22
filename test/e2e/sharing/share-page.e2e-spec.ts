import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../../factories/workspace.js';
import type { Reply } from '../../support/client.js';
import { startService, type TestService } from '../../support/service.js';

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>'`;

describe('GET /s/:token', () => {
  let service: TestService;
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
  const content = { media: 'call.mp4', transcript: transcript(230), summary, notes: 'not for recipients' };
  const shared = recording('Ada', { ...content, organization: 'Acme', title: 'Launch & learn' });
  const early = recording('Ada', { status: 'PROCESSING', progress: 0.42 });
  const broken = recording('Ada', { status: 'ERROR' });
  const deleted = recording('Ada');
  const seen = recording('Ada', { transcript: transcript(21) });
  const hostile = recording('Ada', {
    title: HOSTILE,
    transcript: {
      language: 'en',
      segments: [{ start: 0, end: 2, speaker: HOSTILE, text: HOSTILE, confidence: 1 }],
    },
    summary: {
      content: `# ${HOSTILE}\n\n${HOSTILE} [a](javascript:alert(3)) ![b](https://evil.test/x.png)`,
      topics: [{ title: HOSTILE, keyPoints: [{ point: HOSTILE, details: [HOSTILE] }] }],
    },
  });

  beforeAll(async () => {
    service = await startService();
    await service.import(
      {
        users: [user('Ada')],
        organizations: [acme],
        recordings: [shared, early, broken, deleted, seen, hostile],
      },
      { 'call.mp4': 'not really a video' },
    );
  });
  afterAll(() => service.stop());

  async function link(of: { id: string }, body: object = {}): Promise<string> {
    const reply = await service.api.as(keyOf('Ada')).post(`/recordings/${of.id}/share-link`, body);
    return reply.body.data.share_token;
  }

  const open = (path: string, method = 'GET'): Promise<Reply> => service.api.request(method, `//s/${path}`);
  const sql = (statement: string, ...values: unknown[]): Promise<unknown> =>
    service.dataSource.query(statement, values);

  it('is a page with player, summary and transcript that needs no script to be read', async () => {
    const { status, headers, body } = await open(await link(shared));
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(body).toContain('<title>Launch &amp; learn</title>');
    expect(body).toMatch(/<video[^>]* src="\/media\/[^"]+disposition=inline&amp;file=source&amp;share=/);
    expect(body).toMatch(/<track[^>]* src="\/s\/[^"]+\/captions\.vtt"/);
    for (const text of ['Ship it', 'Ship on Friday', 'All tests are green', 'Sentence 0', 'Ada', 'Grace'])
      expect(body).toContain(text);
  });

  it('says what the link does not permit, and nothing about why', async () => {
    const notes = async (token: string): Promise<(string | undefined)[]> =>
      [...(await open(token)).body.matchAll(/<p class="note">(.*?)<\/p>/g)].map(([, text]: string[]) => text);
    const downloading = 'Downloading isn&#39;t available with this link.';
    const download = await link(shared, { permission: 'download' });
    expect(await notes(await link(shared))).toEqual([downloading]);
    expect(await notes(download)).toEqual([]);
    // Where there is nothing to download, there is nothing to say about it.
    expect(await notes(await link(early))).toEqual([]);
    const set = (on: boolean) =>
      sql('UPDATE organization_members SET feature_downloads = $1, feature_summaries = $1', on);
    await set(false);
    expect(await notes(download)).toEqual(['A summary isn&#39;t available with this link.', downloading]);
    await set(true);
  });

  it('may run its own script and style only, and asks not to be indexed, framed or referred to', async () => {
    const [first, second] = [await open(await link(shared)), await open(await link(shared))];
    const policy = first.headers.get('content-security-policy') ?? '';
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(policy.split('; ')).toEqual([
      `default-src 'none'`,
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      `img-src 'self' data:`,
      `media-src 'self' blob:`,
      `connect-src 'self'`,
      `base-uri 'none'`,
      `form-action 'self'`,
      `frame-ancestors 'none'`,
    ]);
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
    expect(second.headers.get('content-security-policy')).not.toContain(nonce);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const scripts = [...first.body.matchAll(/<script\b[^>]*>/g)].map(([tag]: string[]) => tag);
    expect(scripts.length).toBeGreaterThan(0);
    for (const tag of scripts) expect(tag).toMatch(/type="application\/json"|nonce="/);
    expect(first.body).not.toMatch(/ style=| on[a-z]+=/i);
  });

  it('is quick to load: below 30 KB as it is sent, in two rounds of the six connections of a browser', async () => {
    const page = await open(await link(shared));
    const files = [...page.body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
      ([, path]: string[]) => path!,
    );
    expect(files[0]).toMatch(/^\/assets\/share\/[\w-]{16}\/share\.css$/);
    expect(files.length).toBeLessThanOrEqual(12);
    const replies = await Promise.all(files.map((path) => service.api.get(`/${path}`)));
    for (const { headers } of [page, ...replies]) expect(headers.has('content-encoding')).toBe(true);
    const sizes = [page, ...replies].map(({ body }) => gzipSync(body).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(30_000);
  });

  it('shows hostile titles, speakers, sentences and Markdown as the text they are', async () => {
    const { body } = await open(await link(hostile));
    expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;');
    for (const bad of ['<img', '<script>alert', 'href="javascript:', '="https://evil.test'])
      expect(body).not.toContain(bad);
  });

  it('shows the first part of a long transcript, with a way to the rest for browsers without script', async () => {
    const token = await link(shared);
    const first = await open(token);
    expect(first.body).toContain('Sentence 39<');
    expect(first.body).not.toContain('Sentence 40<');
    expect(first.body).toContain(`/s/${token}?start_chunk=2"`);
    const rest = await open(`${token}?start_chunk=2`);
    expect(rest.body).not.toContain('Sentence 39<');
    expect(rest.body).toContain('Sentence 40<');
    expect(rest.body).toContain('Sentence 229<');
    expect(rest.body).toContain(`/s/${token}?start_chunk=0"`);
  });

  it('is the same plain page for whatever does not open, and gives nothing away', async () => {
    const [expired, revoked, off, goneWith] = [
      await link(shared),
      await link(early),
      await link(shared, { permission: 'download' }),
      await link(deleted),
    ];
    await sql(
      `UPDATE share_links SET expires_at = now() - interval '1 s' WHERE token_hash = sha256($1)`,
      expired,
    );
    await sql('DELETE FROM share_links WHERE token_hash = sha256($1)', revoked);
    await service.api.as(keyOf('Ada')).delete(`/recordings/${deleted.id}`);
    await sql('UPDATE organizations SET feature_sharing = false WHERE id = $1', acme.id);
    const pages = await Promise.all(
      ['unknown', 'a%00b', expired, revoked, off, goneWith].map((token) => open(token)),
    );
    await sql('UPDATE organizations SET feature_sharing = true WHERE id = $1', acme.id);
    await sql('DELETE FROM share_links WHERE token_hash = sha256($1)', expired);
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 404));
    const bodies = pages.map(({ body }) => body.replace(/nonce="[^"]+"/g, ''));
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain('This link isn&#39;t available');
    expect(pages[0]?.headers.get('content-security-policy')).toContain(`default-src 'none'`);
    for (const file of ['captions.vtt', 'transcript?format=txt'])
      expect((await open(`${revoked}/${file}`)).status).toBe(404);
  });

  it('has captions for all, transcript files for those who may download', async () => {
    const [view, download] = [await link(shared), await link(shared, { permission: 'download' })];
    for (const token of [view, download]) {
      const { status, headers, body } = await open(`${token}/captions.vtt`);
      expect([status, headers.get('content-type')]).toEqual([200, 'text/vtt; charset=utf-8']);
      expect([headers.get('cache-control'), headers.get('x-robots-tag')]).toEqual(['no-store', 'noindex']);
      expect(body).toContain('00:00:02.000 --> 00:00:03.500\n<v Grace>Sentence 1</v>');
    }
    for (const format of ['txt', 'md', 'vtt', 'srt', 'json']) {
      const { status, headers } = await open(`${download}/transcript?format=${format}`);
      expect(status).toBe(200);
      expect(headers.get('content-disposition')).toBe(`attachment; filename="Launch & learn.${format}"`);
      expect((await open(`${view}/transcript?format=${format}`)).status).toBe(404);
    }
    expect((await open(`${download}/transcript?format=exe`)).status).toBe(404);
    expect((await open(download)).body).toContain(`/s/${download}/transcript?format=vtt`);
    expect((await open(view)).body).not.toContain('/transcript?format=');
  });

  it('says in words that there is no transcript file yet', async () => {
    const { status, body } = await open(`${await link(early)}/captions.vtt`);
    expect(status).toBe(409);
    expect(body).toContain('The transcript isn&#39;t ready yet');
  });

  it('tells recipients nothing of notes, owner and organization', async () => {
    const { body } = await open(await link(shared));
    for (const secret of ['not for recipients', 'acme.test', acme.id]) expect(body).not.toContain(secret);
  });

  it('counts pages that report a view, and replies to programs that start at the beginning; nothing else', async () => {
    const token = await link(seen);
    service.setNow(new Date('2027-01-05T10:00:00Z'));
    const [, views] = /"views":"\/([^"]+)"/.exec((await open(token)).body) ?? [];
    for (let count = 0; count < 2; count += 1)
      expect((await service.api.request('POST', `//${views}`)).status).toBe(204);
    await service.api.get(`/shares/${token}`);
    service.setNow(null);
    await open(token);
    await open(`${token}?utm_source=mail`);
    await open(token, 'HEAD');
    await open(`${token}?start_chunk=1`);
    await open(`${token}/captions.vtt`);
    await service.api.get(`/shares/${token}?start_chunk=1`);
    const { body } = await service.api.as(keyOf('Ada')).get(`/recordings/${seen.id}/share-links`);
    expect(body.data[0]).toMatchObject({ view_count: 3, last_viewed_at: '2027-01-05T10:00:00.000Z' });
  });

  it('may be framed by the sites of the setting, by nobody else', async () => {
    const framed = await startService(
      { SHARE_FRAME_ANCESTORS: 'https://a.example.com, https://b.example.com' },
      { beside: service },
    );
    const { headers } = await framed.api.get(`//s/${await link(shared)}`);
    await framed.stop();
    expect(headers.get('content-security-policy')).toMatch(
      /frame-ancestors https:\/\/a\.example\.com https:\/\/b\.example\.com$/,
    );
    expect(headers.get('x-frame-options')).toBeNull();
  });

  it('has addresses below the path of the public address, on the host that it was opened on', async () => {
    const below = await startService({ PUBLIC_URL: 'https://example.com/base/' }, { beside: service });
    const token = await link(shared);
    const { body } = await below.api.get(`//s/${token}`);
    await below.stop();
    const addresses = [...body.matchAll(/(?: src| href|"api|"views)"?[=:]"([^"#]+)/g)].map(
      ([, found]: string[]) => found!,
    );
    // Programs that preview links need a whole URL.
    expect(addresses).toContain(`https://example.com/base/s/${token}/oembed`);
    const own = addresses.filter((address) => !/^(data|https):/.test(address));
    expect(own.length).toBeGreaterThan(5);
    for (const address of own) expect(address).toMatch(/^\/base\/(assets|media|s|api)\//);
  });

  it('serves its files with lasting addresses in one folder named by their content, and no others', async () => {
    const page = await open(await link(shared));
    const scripts = scriptsOf(page);
    const folder = scripts.at(-1)!.replace(/share-page\.js$/, '');
    const names = await readdir('web/share/scripts');
    const modules = names.filter((name) => name.endsWith('.js')).map((name) => folder + name);
    // All but those that only pages of what is being processed, or with tracks, need.
    const seldom = ['live-transcript.js', 'processing.js', 'share-voices.js', 'voices.js'].map(
      (name) => folder + name,
    );
    expect([...scripts, ...seldom].sort()).toEqual(modules.sort());
    for (const tag of page.body.match(/<link rel="modulepreload"[^>]*>/g) ?? [])
      expect(tag).toMatch(/ nonce="[^"]+"/);
    for (const path of [`${folder}share.css`, `${folder}hls.js`, ...modules]) {
      const { status, headers, body } = await service.api.get(`/${path}`);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      const again = await service.api.get(`/${path}`, {
        headers: { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
      });
      expect(again.status).toBe(304);
      for (const [, imported] of body.matchAll(/^import .+ from '([^']+)';$/gm))
        expect(modules).toContain(folder + imported.replace('./', ''));
    }
    for (const other of [
      'types.d.ts',
      'page.eta',
      '..%2fshare.css',
      '..%2f..%2f..%2fpackage.json',
      'constructor',
    ])
      expect((await service.api.get(`/${folder}${other}`)).status).toBe(404);
  });

  it('has no module of another version, so that no page mixes them', async () => {
    const old = (name: string) => service.api.get(`//assets/share/AAAAAAAAAAAAAAAA/${name}`);
    const { status, headers } = await old('player.js');
    expect([status, headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect((await old('share.css')).headers.get('cache-control')).toBe('no-cache');
  });
});

/** Addresses of the modules, the one that starts the others last. */
function scriptsOf(page: Reply): string[] {
  const found = page.body.matchAll(/(?:href|src)="(\/assets\/share\/[\w-]+\/(?!hls)[\w-]+\.js)"/g);
  return [...found].map(([, path]: string[]) => path!);
}
