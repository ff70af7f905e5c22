import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, keyOf, member, organization, user } from '../../factories/workspace.js';
import { nextOf, Visitor, type Visit } from '../../support/browser-visit.js';
import { ACME, IdentityServer } from '../../support/identity-provider.js';
import { startService, type TestService } from '../../support/service.js';

const acme = organization('Acme', { members: [member('Ada', 'OWNER')] });
let provider: IdentityServer;
let service: TestService;
let base: string;

beforeAll(async () => {
  provider = await IdentityServer.start();
  const grants = [{ value: 'staff', organization: acme.id, role: 'EDITOR' }];
  service = await startService({
    RATE_LIMIT_PASSWORDS_PER_MINUTE: '30',
    IDENTITY_PROVIDERS: JSON.stringify([{ ...ACME, issuer: provider.issuer, unknown: 'create', grants }]),
  });
  base = `http://localhost:${new URL(service.api.base).port}`;
  await provider.setUp(base);
  await service.import({ users: [user('Ada')], organizations: [acme] });
  provider.accounts.set('ada', { email: emailOf('Ada'), email_verified: true, name: 'Ada' });
  provider.accounts.set('grace', {
    email: emailOf('Grace'),
    email_verified: true,
    name: 'Grace',
    groups: ['staff'],
  });
});
afterAll(async () => {
  await service?.stop();
  provider?.stop();
});

/** Leaves for the provider, and comes back as somebody; returns the reply of the service to that. */
async function signIn(visitor: Visitor, subject: string, to = '/s/1?a=b'): Promise<Visit> {
  const left = await visitor.request(`${base}/sign-in/with/acme?to=${encodeURIComponent(to)}`);
  const address = nextOf(left)!;
  address.searchParams.set('login_hint', subject);
  const back = await visitor.open(address, ({ pathname }) => pathname.endsWith('/callback'));
  return visitor.request(nextOf(back)!);
}
const me = async (visitor: Visitor) => JSON.parse((await visitor.request(`${base}/api/v1/me`)).text);

describe('somebody who signs in with an identity provider', () => {
  it('is the user with their verified address, and arrives where they wanted to go', async () => {
    const visitor = new Visitor();
    const arrived = await signIn(visitor, 'ada');
    expect([arrived.status, nextOf(arrived)?.href]).toEqual([303, `${base}/s/1?a=b`]);
    expect(arrived.headers.get('cache-control')).toBe('no-store');
    expect((await me(visitor)).data).toMatchObject({
      email: 'ada@acme.test',
      session: { way: 'provider', provider: 'acme' },
    });
  });

  it('arrives at the library rather than at another site', async () => {
    expect(nextOf(await signIn(new Visitor(), 'ada', '//evil.example'))?.href).toBe(`${base}/app`);
  });

  it('becomes a user, and is who they are when their address changes', async () => {
    const visitor = new Visitor();
    await signIn(visitor, 'grace');
    const { data } = await me(visitor);
    expect(data).toMatchObject({
      email: 'grace@acme.test',
      email_verified: true,
      name: 'Grace',
      plan: 'PRO',
    });
    provider.accounts.set('grace', { email: emailOf('Ada'), email_verified: true, groups: ['staff'] });
    const later = new Visitor();
    await signIn(later, 'grace');
    expect((await me(later)).data).toMatchObject({ id: data.id, email: 'grace@acme.test' });
    const { body } = await service.api.as(keyOf('Ada')).get(`/organizations/${acme.id}/members`);
    expect(body.data).toContainEqual(expect.objectContaining({ name: 'Grace', role: 'EDITOR' }));
  });

  it('is signed out when the provider ends their session there, and only that one', async () => {
    const [one, other] = [new Visitor(), new Visitor()];
    await signIn(one, 'ada');
    await signIn(other, 'ada');
    const rows: { providerSession: string }[] = await service.dataSource.query(
      'SELECT provider_session AS "providerSession" FROM api_keys WHERE provider_session IS NOT NULL ORDER BY created_at DESC',
    );
    await provider.logOut('ada', rows[1]!.providerSession);
    expect((await me(one)).error.code).toBe('SESSION_ENDED');
    expect((await me(other)).data.email).toBe('ada@acme.test');
  });

  it('waits after too many attempts from one address', async () => {
    const visitor = new Visitor('de');
    const pages: Visit[] = [];
    while (pages.length < 30) pages.push(await visitor.request(`${base}/sign-in/with/acme/callback?state=x`));
    expect([pages[0]!.status, pages.at(-1)!.status]).toEqual([403, 429]);
    expect(pages.at(-1)!.text).toContain('Bitte warten Sie eine Minute');
    expect((await visitor.request(`${base}/sign-in/with/acme`)).status).toBe(429);
  });
});
