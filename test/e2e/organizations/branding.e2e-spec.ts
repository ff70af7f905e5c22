import { randomBytes } from 'node:crypto';
import { deflateSync, crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { changesOf } from '../../support/changes.js';
import { done, outcome, refusal, type Client } from '../../support/client.js';
import { DnsServer } from '../../support/dns-server.js';
import { cheapPasswords } from '../../support/passwords.js';
import { startService, type TestService } from '../../support/service.js';

const HOST = 'records.example.com';
const BASE = `https://${HOST}/base`;
const DOMAIN = 'meetings.acme.example';
const HOSTILE = `Acme "><script>alert(1)</script>`;

/** A PNG that declares this size, with a little of its content. */
function declaring(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    const body = Buffer.concat([Buffer.from(type), data]);
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width);
  size.writeUInt32BE(height, 4);
  const header = chunk('IHDR', Buffer.concat([size, Buffer.from([8, 6, 0, 0, 0])]));
  const content = chunk('IDAT', deflateSync(Buffer.alloc(1024 * 1024)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    header,
    content,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const image = (width: number, height: number, background = '#7a1fa2') =>
  sharp({ create: { width, height, channels: 4, background } });

describe('the branding of an organization', () => {
  cheapPasswords();
  let service: TestService;
  let names: DnsServer;
  const acme = organization(HOSTILE, { members: [member('Ada', 'OWNER'), member('Grace', 'ADMIN')] });
  const beta = organization('Beta', { members: [member('Bob', 'OWNER')] });
  const [weekly, theirs] = [
    recording('Ada', { organization: HOSTILE }),
    recording('Bob', { organization: 'Beta' }),
  ];
  const place = `/organizations/${acme.id}`;
  const record = (domain: string) => `_meeting-recordings.${domain}`;
  let [ada, grace, bob, linus]: Client[] = [];

  beforeAll(async () => {
    names = await DnsServer.start();
    service = await startService({ PUBLIC_URL: BASE, TRUST_PROXY: '127.0.0.1' }, { confined: true });
    const users = ['Ada', 'Grace', 'Bob', 'Linus'];
    await service.import({
      users: users.map((name) => user(name)),
      organizations: [acme, beta],
      recordings: [weekly, theirs],
    });
    [ada, grace, bob, linus] = users.map((name) => service.api.as(keyOf(name)));
  });
  afterAll(async () => {
    await service.stop();
    names.stop();
  });

  const patch = (branding: unknown, by = ada!, at = place) => by.patch(at, { branding });
  const put = (body: Uint8Array, by = ada!, type = 'image/png') =>
    by.request('PUT', `${place}/logo`, { body, headers: { 'content-type': type } });
  const link = async (by: Client, { id }: { id: string }, body: object = {}) =>
    done(by.post(`/recordings/${id}/share-link`, body));
  /** A request that a proxy passes on, which came to this host. */
  const open = (path: string, host = HOST, options: RequestInit = {}) =>
    fetch(service.api.base + path, {
      redirect: 'manual',
      ...options,
      headers: { 'x-forwarded-host': host, ...options.headers },
    });
  const pathOf = (url: string) => new URL(url).pathname.replace('/base', '');

  it('is none at first, changed by an OWNER, read by members, and logged', async () => {
    const { branding } = await done(ada!.get(place));
    expect(branding).toEqual({ accent: null, domain: null, logo_url: null });
    for (const [by, code] of [
      [grace, 'FORBIDDEN'],
      [linus, 'FORBIDDEN'],
    ] as const) {
      expect(outcome(await patch({ accent: '#112233' }, by))).toEqual([403, code]);
      expect(outcome(await patch({ domain: DOMAIN }, by))).toEqual([403, code]);
      expect(outcome(await put(Buffer.from('not read'), by))).toEqual([403, code]);
      expect(outcome(await by!.delete(`${place}/logo`))).toEqual([403, code]);
    }
    expect(names.asked).toEqual([]);
    const changes = await changesOf(service.dataSource, async () => {
      const changed = await done(patch({ accent: '#FFEE00' }));
      expect(changed.branding).toEqual({ accent: '#ffee00', domain: null, logo_url: null });
      await done(patch({ accent: '#ffee00' }));
    });
    expect(changes).toMatchObject([{ type: 'organization.updated', details: { fields: ['branding'] } }]);
    expect((await done(grace!.get(place))).branding.accent).toBe('#ffee00');
  });

  it.each([
    [{}, 'branding: must have at least one of accent, domain'],
    [{ accent: 'red' }, 'branding.accent: must be a color as # and six hexadecimal digits'],
    [{ accent: '#123456;}' }, 'branding.accent: must be a color'],
    [{ css: 'body{}' }, 'branding.css'],
    ...[
      'localhost',
      '10.0.0.1',
      '0x7f.1',
      '[::1]',
      'https://a.example',
      'a.example:80',
      '-a.example',
      'a..example',
      HOST,
    ].map(
      (domain) => [{ domain }, 'branding.domain: must be a host name such as meetings.example.com'] as const,
    ),
  ])('takes nothing else: %j', async (branding, message) => {
    const { status, body } = await patch(branding);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('has a logo that is written anew, with an address of its own', async () => {
    const photo = await image(1200, 600)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'SECRET' } })
      .toBuffer();
    const changes = await changesOf(service.dataSource, async () => {
      expect((await put(photo, ada, 'image/jpeg')).status).toBe(200);
    });
    expect(changes).toMatchObject([{ type: 'organization.updated', details: { fields: ['branding'] } }]);
    const { logo_url: first } = (await done(ada!.get(place))).branding;
    expect(first).toMatch(/^https:\/\/records\.example\.com\/base\/assets\/logos\/[\da-f-]{36}$/);
    const reply = await open(pathOf(first));
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(reply.headers.has('set-cookie')).toBe(false);
    const logo = Buffer.from(await reply.arrayBuffer());
    expect(await sharp(logo).metadata()).toMatchObject({ format: 'webp', width: 192, height: 96 });
    expect(logo.includes('SECRET')).toBe(false);
    const form = new FormData();
    form.set('file', new Blob([await image(10, 10).webp().toBuffer()]), 'logo.webp');
    const headers = { authorization: `Bearer ${keyOf('Ada')}` };
    const sent = await open(`/api/v1${place}/logo`, HOST, { method: 'PUT', body: form, headers });
    expect(sent.status).toBe(200);
    expect((await done(ada!.get(place))).branding.logo_url).not.toBe(first);
    expect((await open(pathOf(first))).status).toBe(404);
    expect((await open('/assets/logos/none')).status).toBe(404);
    await done(ada!.delete(`${place}/logo`));
    expect((await done(ada!.get(place))).branding.logo_url).toBeNull();
  });

  it('keeps the worst image small', async () => {
    const raw = { raw: { width: 480, height: 96, channels: 4 as const } };
    await put(
      await sharp(randomBytes(480 * 96 * 4), raw)
        .png()
        .toBuffer(),
    );
    const { logo_url: url } = (await done(ada!.get(place))).branding;
    expect((await (await open(pathOf(url))).arrayBuffer()).byteLength).toBeLessThan(128 * 1024);
  });

  it.each<[string, () => Buffer | Promise<Buffer>]>([
    ['of 30000 by 30000 pixels', () => declaring(30_000, 30_000)],
    ['a little too wide', () => declaring(4_097, 1)],
    ['as SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['as GIF', () => image(10, 10).gif().toBuffer()],
    ['as HTML', () => Buffer.from('<script>alert(1)</script>')],
    ['cut off', async () => (await image(400, 400).png().toBuffer()).subarray(0, 300)],
    ['that lacks most pixels', () => declaring(3_000, 3_000)],
    [
      'with animation',
      async () => {
        const frames = Buffer.concat([Buffer.alloc(300, 10), Buffer.alloc(300, 200)]);
        const raw = { width: 10, height: 20, channels: 3 as const, pageHeight: 10 };
        return sharp(frames, { raw })
          .webp({ loop: 0, delay: [100, 100] })
          .toBuffer();
      },
    ],
  ])('takes no image %s', async (_, make) => {
    const { status, body } = await put(await make());
    expect([status, body]).toEqual([
      400,
      refusal('VALIDATION_ERROR', expect.stringContaining('body: must be an image')),
    ]);
  });

  it('takes no image of more than a megabyte, and none that is empty', async () => {
    expect(outcome(await put(randomBytes(1024 * 1024 + 1)))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(outcome(await put(Buffer.alloc(0)))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('is on share pages, their password forms and notices, escaped and without more rights for styles', async () => {
    await done(patch({ accent: '#7a1fa2' }));
    await put(await image(100, 50).png().toBuffer());
    const { logo_url: url } = (await done(ada!.get(place))).branding;
    const logo = `<img class="logo" src="${new URL(url).pathname}" alt="Acme &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">`;
    const [plain, locked] = [await link(ada!, weekly), await link(ada!, weekly, { password: 'open sesame' })];
    for (const [path, status, options] of [
      [`/s/${plain.share_token}`, 200],
      [`/s/${locked.share_token}`, 200],
      [`/s/${locked.share_token}`, 403, { method: 'POST', body: new URLSearchParams({ password: 'wrong' }) }],
      [`/s/${plain.share_token}/transcript?format=txt`, 404],
    ] as const) {
      const reply = await open(path, HOST, options);
      const [page, policy] = [await reply.text(), reply.headers.get('content-security-policy')];
      const [, nonce, css] = /<style nonce="([^"]+)">([^<]*)<\/style>/.exec(page) ?? [];
      expect([path, reply.status]).toEqual([path, status]);
      expect(page).toContain(logo);
      expect(css).toContain(':root{--accent:#7a1fa2;--on-accent:#ffffff;');
      expect(policy).toContain(`style-src 'nonce-${nonce}';`);
    }
    const other = await (await open(`/s/${(await link(bob!, theirs)).share_token}`)).text();
    const unknown = await (await open(`/s/${'x'.repeat(32)}`)).text();
    for (const page of [other, unknown]) expect(page).not.toMatch(/<style|class="logo"/);
  });

  it('has a domain only with the DNS record that says so', async () => {
    const refused = async (now: string): Promise<void> => {
      const message = `branding.domain: first create the DNS record ${record(DOMAIN)} of type TXT: organization=${acme.id} (${now})`;
      expect(await patch({ domain: DOMAIN })).toMatchObject({
        status: 400,
        body: refusal('VALIDATION_ERROR', message),
      });
    };
    await refused('DNS says ENOTFOUND');
    names.texts.set(record(DOMAIN), `organization=${beta.id}`);
    await refused('it has another value now');
    names.texts.set(record(DOMAIN), `organization=${acme.id}`);
    expect((await done(patch({ domain: 'Meetings.ACME.example' }))).branding.domain).toBe(DOMAIN);
    const unicode = 'xn--bcher-kva.example';
    names.texts.set(record(unicode), `organization=${beta.id}`);
    const at = `/organizations/${beta.id}`;
    expect((await done(patch({ domain: 'bücher.example' }, bob, at))).branding.domain).toBe(unicode);
    names.texts.set(record(DOMAIN), `organization=${beta.id}`);
    expect(outcome(await patch({ domain: DOMAIN }, bob, at))).toEqual([409, 'CONFLICT']);
    // Not asked again for the one that it has.
    expect((await patch({ domain: DOMAIN })).status).toBe(200);
  });

  it('has share links at its domain, wherever they are named', async () => {
    const { share_token: token, share_url: created, id } = await link(ada!, weekly, { label: 'one' });
    const url = `https://${DOMAIN}/base/s/${token}`;
    expect(created).toBe(url);
    expect((await link(ada!, weekly)).share_url).toContain(`https://${DOMAIN}/base/s/`);
    const links = `/recordings/${weekly.id}/share-links`;
    const listed = await done(ada!.get(links));
    expect(listed.find((one: { id: string }) => one.id === id).share_url).toBe(url);
    expect((await done(ada!.patch(`${links}/${id}`, { label: 'two' }))).share_url).toBe(url);
    const page = await (await open(`/s/${token}`, DOMAIN)).text();
    expect(page).toContain(`<meta property="og:url" content="${url}">`);
    expect(page).toContain(`href="${url}/oembed"`);
    expect(await (await open(`/s/${token}/oembed`, DOMAIN)).json()).toMatchObject({ type: 'link' });
    expect((await open(`/s/${token}`)).status).toBe(200);
  });

  it('opens no links of others at its domain, and no pages for signing in', async () => {
    const [own, other] = [await link(ada!, weekly), await link(bob!, theirs)];
    const unknown = await open(`/s/${'x'.repeat(32)}`, DOMAIN);
    const foreign = await open(`/s/${other.share_token}`, DOMAIN);
    expect([unknown.status, foreign.status]).toEqual([404, 404]);
    expect((await foreign.text()).replaceAll(/nonce="[^"]+"/g, '')).toBe(
      (await unknown.text()).replaceAll(/nonce="[^"]+"/g, ''),
    );
    for (const host of [DOMAIN.toUpperCase(), `${DOMAIN}.`, `${DOMAIN}:8443`]) {
      expect((await open(`/s/${own.share_token}`, host)).status).toBe(200);
      expect((await open(`/s/${other.share_token}`, host)).status).toBe(404);
      expect((await open(`/api/v1/shares/${other.share_token}`, host)).status).toBe(404);
      expect((await open(`/s/${other.share_token}/views`, host, { method: 'POST' })).status).toBe(404);
    }
    // A name that the operator uses inside.
    expect((await open(`/s/${other.share_token}`, 'recordings.internal')).status).toBe(200);
    for (const path of [
      '/',
      '/app',
      '/app/recordings',
      '/account',
      '/sign-in',
      '/join/x',
      '/sign-in/key',
      '/oauth/device',
    ])
      expect([path, (await open(path, DOMAIN)).status]).toEqual([path, 404]);
    const body = new URLSearchParams({ api_key: keyOf('Ada') });
    const signIn = { method: 'POST', body, headers: { origin: `https://${DOMAIN}` } };
    expect((await open('/sign-in/key', DOMAIN, signIn)).headers.getSetCookie()).toEqual([]);
  });
});
