import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SecurityEventsService } from '../../../src/modules/audit/security-events.service.js';
import { emailOf, keyOf, user } from '../../factories/workspace.js';
import { Visitor } from '../../support/browser-visit.js';
import { CLIENT, ForgingProvider, inSeconds, type Forgery } from '../../support/forging-provider.js';
import { eventually, startService, type TestService } from '../../support/service.js';

const ADA = { email: emailOf('Ada'), email_verified: true, sid: 'session-1' };
const [ada, olga] = [user('Ada'), user('Olga')];
let provider: ForgingProvider;
let service: TestService;
let base: string;
let acme: readonly [base: string, name: string];

beforeAll(async () => {
  provider = await ForgingProvider.start();
  const acmeLogin = { ...CLIENT, name: 'acme', label: 'Acme <Login>', issuer: `${provider.base}/one` };
  service = await startService({
    IDENTITY_PROVIDERS: JSON.stringify([
      acmeLogin,
      { ...acmeLogin, name: 'away', issuer: 'http://127.0.0.1:9' },
    ]),
  });
  base = `http://localhost:${new URL(service.api.base).port}`;
  acme = [base, 'acme'];
  await service.import({ users: [ada, olga] });
  await service.dataSource.query('UPDATE users SET operator = true WHERE id = $1', [olga.id]);
});
afterAll(async () => {
  await service?.stop();
  provider?.stop();
});
beforeEach(() => service.setNow(null));

const statusOf = async (visitor: Visitor) => (await visitor.request(`${base}/api/v1/me`)).status;
async function signedIn(claims: object = {}): Promise<Visitor> {
  const visitor = new Visitor();
  const arrived = await provider.signIn(acme, { claims: { ...ADA, ...claims } }, visitor);
  expect(arrived.status).toBe(303);
  return visitor;
}

describe('an ID token', () => {
  it.each<[what: string, Forgery]>([
    ['of another issuer', { claims: { iss: 'https://other.example' } }],
    ['for another client', { claims: { aud: 'other' } }],
    ['for another sign-in', { claims: { nonce: 'other' } }],
    ['that has expired', { claims: { iat: inSeconds(-120), exp: inSeconds(-60) } }],
    ['by a clock that is 10 minutes late', { claims: { iat: inSeconds(-600), exp: inSeconds(3_000) } }],
    ['by a clock that is 10 minutes early', { claims: { iat: inSeconds(600), exp: inSeconds(900) } }],
    ['signed with a foreign key', { signature: 'foreign' }],
    ['that is not signed', { signature: 'none' }],
  ])('%s lets nobody in', async (_, forgery) => {
    const visitor = new Visitor();
    const forged = { ...forgery, claims: { ...ADA, ...forgery.claims } };
    const page = await provider.signIn(acme, forged, visitor);
    expect([page.status, await statusOf(visitor)]).toEqual([403, 401]);
    expect(page.text).toContain('The reply of Acme &lt;Login&gt; cannot be trusted');
    expect(page.text).toContain(`<code>${page.headers.get('x-request-id')}</code>`);
  });

  it.each([
    ['late', { iat: inSeconds(-325), exp: inSeconds(-20) }],
    ['early', { iat: inSeconds(25), exp: inSeconds(300), nbf: inSeconds(25) }],
  ])('by a clock that is a little %s is accepted', async (_, times) => {
    expect(await statusOf(await signedIn(times))).toBe(200);
  });

  it('signed with a new key is accepted', async () => {
    await signedIn();
    await provider.rotate();
    await eventually(async () => void (await signedIn()), 5_000);
    expect(provider.requests.filter((path) => path.endsWith('openid-configuration'))).toHaveLength(1);
  });
});

describe('the way back from a provider', () => {
  it('works once', async () => {
    const visitor = new Visitor();
    const callback = await provider.callback(acme, { claims: ADA }, visitor);
    expect((await visitor.request(callback)).status).toBe(303);
    const again = await visitor.request(callback);
    expect([again.status, again.text.includes('This sign-in was used already')]).toEqual([403, true]);
  });

  it.each([
    ['in another browser', async (callback: string) => new Visitor().request(callback)],
    [
      'in a browser that is itself signing in',
      async (callback: string) => {
        const other = new Visitor();
        await other.request(`${base}/sign-in/with/acme`);
        return other.request(callback);
      },
    ],
    [
      'by another provider',
      async (callback: string, visitor: Visitor) => visitor.request(callback.replace('/acme/', '/away/')),
    ],
    [
      'after more than 10 minutes',
      async (callback: string, visitor: Visitor) => {
        service.setNow(new Date(Date.now() + 601_000));
        return visitor.request(callback);
      },
    ],
  ])('leads nowhere %s', async (_, comeBack) => {
    const visitor = new Visitor();
    const page = await comeBack(await provider.callback(acme, { claims: ADA }, visitor), visitor);
    expect([page.status, page.text.includes('This sign-in was used already')]).toEqual([403, true]);
    expect(page.headers.getSetCookie().filter((line) => line.startsWith('mrs_session'))).toEqual([]);
  });

  it('says that somebody was not let in, in their language', async () => {
    const visitor = new Visitor('de-AT');
    const callback = new URL(await provider.callback(acme, {}, visitor));
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    const page = await visitor.request(callback);
    expect(page.status).toBe(403);
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).toContain('Acme &lt;Login&gt; hat Sie nicht angemeldet');
    expect(page.text).toContain('href="/sign-in">Zurück zur Anmeldung</a>');
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
  });

  it('is in the audit log and in metrics when it leads nowhere', async () => {
    await provider.signIn(acme, { claims: { ...ADA, aud: 'other' } });
    await service.app.get(SecurityEventsService).flush();
    const { body } = await service.api.as(keyOf('Olga')).get('/audit-log?type=sign_in.refused');
    expect(body.data).toContainEqual(
      expect.objectContaining({
        actor: expect.objectContaining({ kind: 'anonymous' }),
        changes: { code: 'INVALID_REPLY', count: expect.any(Number), way: 'provider', provider: 'acme' },
      }),
    );
  });
});

describe('a provider that is away', () => {
  it('is named by a page, and those who are in stay in', async () => {
    const visitor = await signedIn();
    const page = await new Visitor().request(`${base}/sign-in/with/away`);
    expect([page.status, page.text.includes('Acme &lt;Login&gt; is unavailable')]).toEqual([503, true]);
    const callback = await provider.callback(acme, { claims: ADA }, visitor);
    provider.isAway = true;
    const back = await visitor.request(callback);
    provider.isAway = false;
    expect([back.status, await statusOf(visitor)]).toEqual([503, 200]);
  });

  it('that nobody has configured is not found', async () => {
    const page = await new Visitor().request(`${base}/sign-in/with/other`);
    expect([page.status, page.text.includes('There is no such way to sign in')]).toEqual([404, true]);
  });
});

describe('a provider that signs somebody out', () => {
  const logOut = async (token: string) => {
    const body = new URLSearchParams({ logout_token: token });
    const reply = await fetch(`${base}/sign-in/with/acme/logout`, { method: 'POST', body });
    return [reply.status, reply.headers.get('cache-control')];
  };
  const refused = [400, 'no-store'];

  it('ends the session that a logout token names, once', async () => {
    const [one, other] = [await signedIn({ sid: 'a' }), await signedIn({ sid: 'b' })];
    const token = await provider.logoutToken({ claims: { sid: 'a', sub: 'ada' } });
    expect(await logOut(token)).toEqual([200, 'no-store']);
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 200]);
    expect(await logOut(token)).toEqual(refused);
  });

  it('ends all sessions with it of a user whose subject it names, and no others', async () => {
    const [one, other] = [await signedIn({ sid: 'a' }), await signedIn({ sid: undefined })];
    expect((await logOut(await provider.logoutToken({ claims: { sub: 'nobody' } })))[0]).toBe(200);
    expect([await statusOf(one), await statusOf(other)]).toEqual([200, 200]);
    expect((await logOut(await provider.logoutToken({ claims: { sub: 'ada' } })))[0]).toBe(200);
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 401]);
    expect((await service.api.as(keyOf('Ada')).get('/me')).status).toBe(200);
  });

  it.each<[what: string, Forgery]>([
    ['of another issuer', { claims: { iss: 'https://other.example' } }],
    ['for another client', { claims: { aud: 'other' } }],
    ['that has expired', { claims: { exp: inSeconds(-60) } }],
    ['that is old', { claims: { iat: inSeconds(-600) } }],
    ['of the future', { claims: { iat: inSeconds(600) } }],
    ['without an id of its own', { claims: { jti: undefined } }],
    ['that is no logout token', { claims: { events: undefined } }],
    ['about another event', { claims: { events: { other: {} } } }],
    ['that could be an ID token', { claims: { nonce: 'x' } }],
    ['about nobody', { claims: { sid: undefined } }],
    ['signed with a foreign key', { signature: 'foreign' }],
    ['that is not signed', { signature: 'none' }],
  ])('ends nothing by a token %s', async (_, { claims, signature }) => {
    const visitor = await signedIn({ sid: 'c' });
    const token = await provider.logoutToken({ claims: { sid: 'c', ...claims }, signature });
    expect(await logOut(token)).toEqual(refused);
    expect(await statusOf(visitor)).toBe(200);
  });

  it('ends the session that a frame names, which only the provider may show', async () => {
    const [one, other] = [await signedIn({ sid: 'd' }), await signedIn({ sid: 'e' })];
    const frame = (query: Record<string, string>) =>
      new Visitor().request(`${base}/sign-in/with/acme/logout?${new URLSearchParams(query)}`);
    expect((await frame({ iss: 'https://other.example', sid: 'd' })).status).toBe(400);
    expect((await frame({ iss: `${provider.base}/one` })).status).toBe(400);
    expect(await statusOf(one)).toBe(200);
    const page = await frame({ iss: `${provider.base}/one`, sid: 'd' });
    expect([page.status, page.text.includes('You have been signed out')]).toEqual([200, true]);
    expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors ${provider.base}`);
    expect(page.headers.get('x-frame-options')).toBeNull();
    expect([await statusOf(one), await statusOf(other)]).toEqual([401, 200]);
  });
});
