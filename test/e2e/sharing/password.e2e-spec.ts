import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, recording, transcript, user } from '../../factories/workspace.js';
import { refusal, type Reply } from '../../support/client.js';
import { cheapPasswords } from '../../support/passwords.js';
import { routesOf } from '../../support/routes.js';
import { startService, type TestService } from '../../support/service.js';
import { CHEAP_HASH } from '../../support/share-links.js';

const PASSWORD = 'correct horse';

describe('a share link with a password', () => {
  cheapPasswords();
  let service: TestService;
  let second: TestService;
  let token: string;
  const content = { media: 'call.mp4', transcript: transcript(1), title: 'Salaries' };
  const protectedOne = recording('Ada', content);
  const open = recording('Ada', content);

  beforeAll(async () => {
    service = await startService();
    second = await startService({ PUBLIC_URL: 'https://example.com/base' }, { beside: service });
    await service.import({ users: [user('Ada')], recordings: [protectedOne, open] }, { 'call.mp4': 'film' });
  });
  afterAll(async () => {
    await second.stop();
    await service.stop();
  });

  beforeEach(async () => {
    await service.dataSource.query('TRUNCATE share_links, rate_limits');
    token = await link({ label: 'Customer' });
    await service.dataSource.query('UPDATE share_links SET password_hash = $1', [CHEAP_HASH]);
  });

  let linkId: string;

  async function link(body: object, of = protectedOne): Promise<string> {
    const reply = await service.api.as(keyOf('Ada')).post(`/recordings/${of.id}/share-link`, body);
    linkId = reply.body.data.id;
    return reply.body.data.share_token;
  }

  async function change(body: object): Promise<void> {
    const path = `/recordings/${protectedOne.id}/share-links/${linkId}`;
    expect((await service.api.as(keyOf('Ada')).patch(path, body)).status).toBe(200);
  }

  const enter = (password: string, on = service): Promise<Reply> =>
    on.api.post(`/shares/${token}/access`, { password });

  const submit = (password: string, on = service, of = token, query = ''): Promise<Response> =>
    fetch(`${on.api.base}/s/${of}${query}`, {
      method: 'POST',
      body: new URLSearchParams({ password }),
      redirect: 'manual',
    });

  const read = (headers: Record<string, string> = {}): Promise<Reply> =>
    service.api.get(`/shares/${token}`, { headers });

  const page = async (headers: Record<string, string> = {}): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${service.api.base}/s/${token}`, { headers });
    return { status: response.status, text: await response.text() };
  };

  const pass = async (): Promise<string> => (await enter(PASSWORD)).body.data.access_token;

  it('shows a form and reveals none of the content', async () => {
    const { status, text } = await page();
    expect(status).toBe(200);
    expect(text).toContain('<form');
    expect(text).toContain('name="password"');
    for (const secret of ['Salaries', 'Sentence 0', '/media/']) expect(text).not.toContain(secret);
    const { status: refused, body } = await read();
    expect([refused, body]).toEqual([403, refusal('SHARE_PASSWORD_REQUIRED')]);
    for (const file of ['captions.vtt', 'transcript?format=txt'])
      expect((await service.api.get(`//s/${token}/${file}`)).status).toBe(403);
  });

  it('opens to API clients for a day with the access token they received', async () => {
    service.setNow(new Date('2027-02-01T12:00:00.000Z'));
    const { status, body } = await enter(PASSWORD);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      access_token: expect.stringMatching(/^\d+\.[\w-]{43}$/),
      expires_at: '2027-02-02T12:00:00.000Z',
    });
    const headers = { 'x-share-access': body.data.access_token };
    expect((await read(headers)).body.data.recording.title).toBe('Salaries');
    service.setNow(new Date('2027-02-02T11:59:59.000Z'));
    expect((await read(headers)).status).toBe(200);
    service.setNow(new Date('2027-02-02T12:00:00.000Z'));
    expect((await read(headers)).status).toBe(403);
    service.setNow(null);
  });

  it('opens to browsers with a cookie for this link only', async () => {
    await change({ password: 'pässword 密码' });
    const response = await submit('pässword 密码');
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`/s/${token}`);
    const cookies = response.headers.getSetCookie();
    expect(cookies.map((cookie) => /Path=([^;]+)/.exec(cookie)?.[1])).toEqual([
      `/s/${token}`,
      `/api/v1/shares/${token}`,
    ]);
    for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Lax$/);
    const cookie = cookies[0]!.split(';')[0]!;
    expect((await page({ cookie })).text).toContain('Salaries');
    expect((await read({ cookie })).status).toBe(200);
  });

  it('limits the cookie to TLS and to the path of the public URL', async () => {
    const response = await submit(PASSWORD, second);
    expect(response.headers.get('location')).toBe(`/base/s/${token}`);
    for (const cookie of response.headers.getSetCookie()) {
      expect(cookie).toMatch(/Path=\/base\/(s|api\/v1\/shares)\/[\w-]+;.*; HttpOnly; Secure; SameSite=Lax$/);
    }
  });

  it('sets a cookie that works in frames when the setting allows framing', async () => {
    const framed = await startService(
      { PUBLIC_URL: 'https://example.com', SHARE_FRAME_ANCESTORS: 'https://intranet.example.com' },
      { beside: service },
    );
    const response = await submit(PASSWORD, framed);
    await framed.stop();
    for (const cookie of response.headers.getSetCookie())
      expect(cookie).toMatch(/; HttpOnly; Secure; Partitioned; SameSite=None$/);
  });

  it.each(['', ` ${PASSWORD}`])('rejects "%s" in the form', async (wrong) => {
    const response = await submit(wrong);
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
    const text = await response.text();
    expect(text).toContain('Incorrect password. Please try again.');
    expect(text).not.toContain('Salaries');
  });

  it('rejects wrong and invalid passwords from API clients', async () => {
    const wrong = await enter('not this one');
    expect([wrong.status, wrong.body]).toEqual([403, refusal('SHARE_PASSWORD_WRONG')]);
    const short = await enter('abc');
    expect([short.status, short.body]).toEqual([
      400,
      refusal(
        'VALIDATION_ERROR',
        expect.stringContaining('password: must be a string of 4 to 200 characters'),
      ),
    ]);
  });

  it('rejects an access token of another link, and any altered token', async () => {
    const own = await pass();
    const other = await link({ permission: 'download', password: 'another one' });
    const onOther = await service.api.get(`/shares/${other}`, { headers: { 'x-share-access': own } });
    expect(onOther.status).toBe(403);
    const [expires, signature = ''] = own.split('.');
    const forged = [`${Number(expires) + 1}.${signature}`, own.slice(0, -1), ''];
    for (const wrong of forged) expect((await read({ 'x-share-access': wrong })).status).toBe(403);
  });

  it('invalidates the access token and the media URLs when the password changes', async () => {
    const headers = { 'x-share-access': await pass() };
    const { videoUrl } = (await read(headers)).body.data.recording;
    const { pathname, search } = new URL(videoUrl);
    expect((await service.api.get(`/${pathname}${search}`)).body).toBe('film');
    await change({ password: 'another one' });
    expect((await read(headers)).status).toBe(403);
    expect((await service.api.get(`/${pathname}${search}`)).status).toBe(403);
  });

  it('delivers nothing at any of its addresses, nor what was issued before it had a password', async () => {
    const plain = await link({ label: 'Everybody' });
    const { videoUrl } = (await service.api.get(`/shares/${plain}`)).body.data.recording;
    const { pathname, search } = new URL(videoUrl);
    expect((await service.api.get(`/${pathname}${search}`)).body).toBe('film');
    await change({ password: PASSWORD });
    expect((await service.api.get(`/${pathname}${search}`)).status).toBe(403);
    const routes = routesOf(service.app).filter((route) => /^GET .*\/(s|shares)\/:token/.test(route));
    expect(routes.length).toBeGreaterThan(4);
    for (const route of routes) {
      const path = route.slice('GET '.length).replace(':token', plain);
      const query = path.endsWith('/transcript') ? '?format=txt' : '';
      const { status, body } = await service.api.get(`/${path}${query}`);
      expect([route, status]).toEqual([route, route === 'GET /s/:token' ? 200 : 403]);
      expect(JSON.stringify(body)).not.toMatch(/Salaries|Sentence 0|\/media\//);
    }
  });

  it('issues no access token that outlives the link', async () => {
    const expiresAt = '2027-02-01T13:00:00.000Z';
    service.setNow(new Date('2027-02-01T12:00:00.000Z'));
    await change({ expires_at: expiresAt });
    const { body } = await enter(PASSWORD);
    service.setNow(null);
    expect(body.data.expires_at).toBe(expiresAt);
  });

  it('accepts no password after ten wrong ones across all processes, and returns Retry-After', async () => {
    const wrong = await Promise.all(
      Array.from({ length: 12 }, (_, index) => enter('wrong', index % 2 === 0 ? service : second)),
    );
    expect(wrong.map(({ status }) => status).sort()).toEqual([...Array(10).fill(403), 429, 429]);
    const right = await enter(PASSWORD);
    expect(right.status).toBe(429);
    expect(right.body.error.code).toBe('RATE_LIMITED');
    const seconds = Number(right.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(590);
    expect(seconds).toBeLessThanOrEqual(600);
    const form = await submit(PASSWORD);
    expect(form.status).toBe(429);
    expect(await form.text()).toContain('Too many incorrect attempts.');
  });

  it('does not count correct passwords as tries', async () => {
    for (let time = 0; time < 12; time += 1) expect((await enter(PASSWORD)).status).toBe(201);
  });

  it('redirects to a link without a password, and returns 409 to API clients', async () => {
    const plain = await link({}, open);
    expect((await submit('anything', service, plain)).status).toBe(303);
    const reply = await service.api.post(`/shares/${plain}/access`, { password: 'anything' });
    expect([reply.status, reply.body.error.code]).toEqual([409, 'CONFLICT']);
  });

  it('returns an error page for an unknown link or a body that is not a form', async () => {
    expect((await submit(PASSWORD, service, 'unknown')).status).toBe(404);
    const odd = await fetch(`${service.api.base}/s/${token}`, { method: 'POST', body: '{}' });
    expect(odd.status).toBe(415);
    expect(await odd.text()).toContain('Invalid request');
  });
});
