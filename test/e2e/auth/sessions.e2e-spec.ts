import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, member, organization, recording, user } from '../../factories/workspace.js';
import { SESSION, outcome, type Client } from '../../support/client.js';
import { OpenStream } from '../../support/event-stream.js';
import { startService, type TestService } from '../../support/service.js';
import { sessionOf, signedIn } from '../../support/sessions.js';

const acme = organization('Acme', { members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')] });
const HOUR_MS = 3_600_000;
let service: TestService;
let ada: Client;
let grace: Client;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_WRONG_KEYS_PER_MINUTE: '0' });
  await service.import({
    users: [user('Ada'), user('Grace')],
    organizations: [acme],
    recordings: [recording('Ada', { title: 'Board' })],
  });
  ada = service.api.as(keyOf('Ada'));
  grace = service.api.as(keyOf('Grace'));
});
afterAll(() => service?.stop());
beforeEach(() => service.setNow(null));

const meOf = async (client: Client) => (await client.get('/me')).body.data;
const sessionsOf = async (client: Client) => (await client.get('/me/sessions')).body.data;
const rowsOf = async (type: string) =>
  (await ada.get(`/me/audit-log?type=${type}`)).body.data.filter(
    (row: { type: string }) => row.type === type,
  );

describe('a session', () => {
  it('is its user, with all rights, and says how they signed in', async () => {
    const page = await signedIn(service, ada, { way: 'provider', provider: 'acme' });
    expect(await meOf(page)).toMatchObject({
      email: 'ada@acme.test',
      api_key: null,
      session: { id: expect.any(String), way: 'provider', provider: 'acme', refused_by: [] },
    });
    const { body } = await page.get('/recordings');
    expect(body.data.map(({ title }: { title: string }) => title)).toEqual(['Board']);
    const created = await page.post('/api-keys', { name: 'laptop' });
    expect([created.status, created.body.data.expires_at]).toEqual([201, null]);
  });

  it('changes something only from a page of the service, with its token', async () => {
    const session = await sessionOf(service, (await meOf(ada)).id);
    const cookie = `mrs_session=${session.slice(SESSION.length)}`;
    const { csrf_token: token } = (await service.api.get('/me', { headers: { cookie } })).body.data.session;
    const origin = service.api.base;
    const send = async (headers: Record<string, string>) =>
      outcome(await service.api.post('/recordings', { title: 'New' }, { headers: { cookie, ...headers } }));
    const refused = [403, 'FORBIDDEN'];
    expect(await send({})).toEqual(refused);
    expect(await send({ origin })).toEqual(refused);
    expect(await send({ 'x-csrf-token': token })).toEqual(refused);
    expect(await send({ origin, 'x-csrf-token': `${token}x` })).toEqual(refused);
    expect(await send({ origin: 'https://evil.example', 'x-csrf-token': token })).toEqual(refused);
    expect(await send({ origin, 'sec-fetch-site': 'cross-site', 'x-csrf-token': token })).toEqual(refused);
    expect(await send({ origin, 'x-csrf-token': token })).toEqual([201, null]);
  });

  it('is no API key, and an API key no session', async () => {
    const token = (await sessionOf(service, (await meOf(ada)).id)).slice(SESSION.length);
    expect(outcome(await service.api.as(token).get('/me'))).toEqual([401, 'INVALID_API_KEY']);
    const cookie = `mrs_session=${keyOf('Ada')}`;
    expect(outcome(await service.api.get('/me', { headers: { cookie } }))).toEqual([401, 'SESSION_ENDED']);
    expect((await sessionsOf(ada)).map(({ name }: { name?: string }) => name)).not.toContain('laptop');
    const keys = (await ada.get('/api-keys')).body.data.map(({ prefix }: { prefix: string }) => prefix);
    expect(keys).not.toContain('session');
  });

  it('ends when it has not been used for 12 hours', async () => {
    const page = await signedIn(service, grace);
    const began = Date.now();
    service.setNow(new Date(began + 11 * HOUR_MS));
    expect((await page.get('/me')).status).toBe(200);
    service.setNow(new Date(began + 12.1 * HOUR_MS));
    expect(outcome(await page.get('/me'))).toEqual([401, 'SESSION_ENDED']);
  });

  it('is listed, and ends when its user ends it', async () => {
    const [one, other] = [await signedIn(service, grace), await signedIn(service, grace)];
    const listed = await sessionsOf(one);
    const current = listed.filter(({ is_current: isCurrent }: { is_current: boolean }) => isCurrent);
    expect(current).toMatchObject([{ way: 'link', client: 'test-browser', last_used_address: '127.0.0.1' }]);
    expect((await other.delete(`/me/sessions/${current[0].id}`)).status).toBe(200);
    expect(outcome(await one.get('/me'))).toEqual([401, 'SESSION_ENDED']);
    expect(outcome(await other.delete(`/me/sessions/${current[0].id}`))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await ada.delete(`/me/sessions/${current[0].id}`))).toEqual([404, 'NOT_FOUND']);
  });

  it('ends everywhere at once', async () => {
    const [one, other] = [await signedIn(service, grace), await signedIn(service, grace)];
    expect((await one.delete('/me/sessions')).status).toBe(200);
    expect(outcome(await other.get('/me'))).toEqual([401, 'SESSION_ENDED']);
    expect((await grace.get('/me')).status).toBe(200);
  });

  it('is unknown to an API key with limits', async () => {
    const page = await signedIn(service, grace);
    const { key } = (await grace.post('/api-keys', { name: 'narrow', scopes: ['keys:manage'] })).body.data;
    const narrow = service.api.as(key);
    expect(await sessionsOf(narrow)).toEqual([]);
    expect((await narrow.delete('/me/sessions')).status).toBe(200);
    expect((await page.get('/me')).status).toBe(200);
  });

  it('repeats a request with an Idempotency-Key, and only its own', async () => {
    const page = await signedIn(service, ada);
    const headers = { 'Idempotency-Key': 'once' };
    const first = await page.post('/recordings', { title: 'Once' }, { headers });
    const again = await page.post('/recordings', { title: 'Once' }, { headers });
    expect([again.status, again.body.data.id]).toEqual([201, first.body.data.id]);
    const other = await (await signedIn(service, ada)).post('/recordings', { title: 'Once' }, { headers });
    expect(other.body.data.id).not.toBe(first.body.data.id);
  });

  it('is in the audit log when it begins and when it ends', async () => {
    const page = await signedIn(service, ada, { way: 'provider', provider: 'acme' });
    const { id: sessionId } = (await meOf(page)).session;
    await page.delete(`/me/sessions/${sessionId}`);
    const about = async (type: string) =>
      (await rowsOf(type)).find(({ target_id: target }: { target_id: string }) => target === sessionId);
    const expected = {
      actor: { kind: 'user', name: 'Ada' },
      address: '127.0.0.1',
      changes: { way: 'provider', provider: 'acme' },
    };
    expect(await about('session.signed_in')).toMatchObject(expected);
    expect(await about('session.revoked')).toMatchObject(expected);
  });
});

describe('a person who is removed from an organization', () => {
  it('is signed out within a second, streams included, and keeps the API keys', async () => {
    const { id: graceId } = await meOf(grace);
    const session = await sessionOf(service, graceId);
    const page = service.api.as(session);
    const stream = await OpenStream.open(service.api, session);
    expect((await ada.delete(`/organizations/${acme.id}/members/${graceId}`)).status).toBe(200);
    expect(outcome(await page.get('/me'))).toEqual([401, 'SESSION_ENDED']);
    await stream.until(({ isOpen }) => !isOpen, 1_000);
    expect(stream.events.at(-1)).toMatchObject({ event: 'end', data: { error: { code: 'SESSION_ENDED' } } });
    expect((await grace.get('/me')).status).toBe(200);
  });
});
