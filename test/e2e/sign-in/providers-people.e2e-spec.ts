import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, folder, id, keyOf, member, organization, user } from '../../factories/workspace.js';
import { Visitor } from '../../support/browser-visit.js';
import { CLIENT, ForgingProvider } from '../../support/forging-provider.js';
import { directoryOf, entraUser } from '../../support/scim.js';
import { startService, type TestService } from '../../support/service.js';

const board = folder('Board', { restrictedTo: [emailOf('Ada')] });
const acme = organization('Acme', { members: [member('Ada', 'OWNER')], folders: [board] });
const beta = organization('Beta', { members: [member('Ada', 'OWNER'), member('Grace', 'VIEWER')] });
const ada = user('Ada');
let provider: ForgingProvider;
let service: TestService;
let base: string;

beforeAll(async () => {
  provider = await ForgingProvider.start();
  const of = (name: string, more: object = {}) => ({
    ...CLIENT,
    name,
    label: name,
    issuer: `${provider.base}/one`,
    ...more,
  });
  const grant = (value: string, organizationId: string, role: string, folders: string[] = []) => ({
    value,
    organization: organizationId,
    role,
    folders,
  });
  service = await startService({
    IDENTITY_PROVIDERS: JSON.stringify([
      of('create', { unknown: 'create' }),
      of('invited'),
      of('refuse', { unknown: 'refuse' }),
      of('second', { issuer: `${provider.base}/two`, unknown: 'refuse' }),
      of('domains', { unknown: 'create', domains: ['acme.test'] }),
      of('trusting', { unknown: 'create', trusts_email: true }),
      of('granting', {
        unknown: 'create',
        grants: [
          grant('staff', acme.id, 'VIEWER'),
          grant('board', acme.id, 'EDITOR', [board.id]),
          grant('owners', beta.id, 'OWNER'),
        ],
      }),
    ]),
  });
  base = `http://localhost:${new URL(service.api.base).port}`;
  await service.import({ users: [ada, user('Grace')], organizations: [acme, beta] });
});
afterAll(async () => {
  await service?.stop();
  provider?.stop();
});

/** Signs in, and returns who that is; or what the page says that refuses them. */
async function come(name: string, claims: object, issuer?: string) {
  const visitor = new Visitor();
  const page = await provider.signIn([base, name, issuer], { claims: { ...claims } }, visitor);
  if (page.status !== 303) return { refused: page.status, text: /<p>(.*)<\/p>/.exec(page.text)?.[1] };
  return JSON.parse((await visitor.request(`${base}/api/v1/me`)).text).data;
}
const verified = (email: string) => ({ email, email_verified: true });
const membersOf = async ({ id: organizationId }: { id: string }) => {
  const { body } = await service.api.as(keyOf('Ada')).get(`/organizations/${organizationId}/members`);
  const members: { email: string; role: string }[] = body.data;
  return Object.fromEntries(members.map(({ email, role }) => [email, role]));
};

describe('somebody who comes from a provider for the first time', () => {
  it.each([
    ['whose address is not verified', 'create', { email: emailOf('Ada'), email_verified: false }],
    ['whose provider does not say', 'create', { email: emailOf('Ada') }],
    ['without an address', 'create', {}],
    ['whose address is not one', 'create', verified('ada')],
    [
      'whose trusted address is said not to be verified',
      'trusting',
      { email: 'x@x.test', email_verified: false },
    ],
    ['with domains, but without an address', 'domains', {}],
  ])('is refused %s', async (_, name, claims) => {
    const text = expect.stringContaining('does not confirm that your email address is yours');
    expect(await come(name, { sub: id(), ...claims })).toEqual({ refused: 403, text });
  });

  it('is the user with the address, also if its letters differ', async () => {
    expect(await come('refuse', { sub: id(), ...verified('ADA@acme.test') })).toMatchObject({ id: ada.id });
  });

  it('becomes a user if the provider is to bring them, named as it says', async () => {
    expect(
      await come('create', { sub: id(), ...verified('new@new.test'), name: ' New\nOne ' }),
    ).toMatchObject({
      email: 'new@new.test',
      email_verified: true,
      name: 'New One',
    });
    expect(await come('trusting', { sub: id(), email: 'entra@new.test' })).toMatchObject({
      email: 'entra@new.test',
      name: 'entra@new.test',
    });
  });

  it('becomes only one, however many times they come at once', async () => {
    const visitors = [new Visitor(), new Visitor(), new Visitor()];
    const at = [base, 'create'] as const;
    const claims = { sub: id(), ...verified('twice@new.test') };
    const back = await Promise.all(visitors.map((one) => provider.callback(at, { claims }, one)));
    const replies = await Promise.all(visitors.map((one, index) => one.request(back[index]!)));
    expect(replies.map(({ status }) => status)).toEqual([303, 303, 303]);
  });

  it('is refused if the provider is to bring nobody', async () => {
    const text = expect.stringContaining('Nobody here has your account');
    expect(await come('refuse', { sub: id(), ...verified('none@new.test') })).toEqual({
      refused: 403,
      text,
    });
  });

  it('is refused without an invitation, and accepts the one that there is', async () => {
    const claims = { sub: id(), ...verified('Invited@new.test'), name: 'Invited' };
    const text = expect.stringContaining('has no open invitation');
    expect(await come('invited', claims)).toEqual({ refused: 403, text });
    const path = `/organizations/${acme.id}/invitations`;
    const invitation = { email: 'invited@new.test', role: 'EDITOR' };
    const sent = await service.api.as(keyOf('Ada')).post(path, invitation);
    expect(sent.status).toBe(201);
    expect(await come('invited', claims)).toMatchObject({ email: 'Invited@new.test', name: 'Invited' });
    expect(await membersOf(acme)).toMatchObject({ 'Invited@new.test': 'EDITOR' });
    expect((await service.api.as(keyOf('Ada')).get(path)).body.data).toEqual([]);
    const token = sent.body.data.invite_token;
    expect((await fetch(`${base}/join/${token}`)).status).toBe(404);
  });

  it('is let in with an address of the domains of the provider only', async () => {
    const claims = { sub: id(), ...verified('new@acme.test') };
    expect(await come('domains', claims)).toMatchObject({ email: 'new@acme.test' });
    const text = expect.stringContaining('is of a domain that is not accepted here');
    for (const email of ['new@notacme.test', 'new@sub.acme.test', 'new@acme.test.evil.example'])
      expect(await come('domains', { ...claims, ...verified(email) })).toEqual({ refused: 403, text });
  });
});

describe('somebody who comes again', () => {
  it('is who they were, whatever their address has become', async () => {
    const subject = id();
    const { id: first } = await come('create', { sub: subject, ...verified('first@new.test') });
    for (const claims of [verified('ada@acme.test'), { email: 'first@new.test' }, {}])
      expect(await come('create', { sub: subject, ...claims })).toMatchObject({
        id: first,
        email: 'first@new.test',
      });
  });

  it('is the same user with another provider that has verified their address, too', async () => {
    const claims = { sub: id(), ...verified('both@new.test') };
    const { id: one } = await come('create', claims);
    const text = expect.stringContaining('does not confirm that your email address is yours');
    const other = { ...claims, email_verified: false };
    expect(await come('second', other, 'two')).toEqual({ refused: 403, text });
    expect(await come('second', claims, 'two')).toMatchObject({ id: one });
  });

  it('is not a subject of the same name at another issuer', async () => {
    const subject = id();
    await come('create', { sub: subject, ...verified('mine@new.test') });
    const text = expect.stringContaining('Nobody here has your account');
    const claims = { sub: subject, ...verified('theirs@new.test') };
    expect(await come('second', claims, 'two')).toEqual({ refused: 403, text });
  });

  it('is never a service account', async () => {
    const path = `/organizations/${acme.id}/service-accounts`;
    const { body } = await service.api.as(keyOf('Ada')).post(path, { name: 'Bot', role: 'EDITOR' });
    await service.dataSource.query('INSERT INTO identities VALUES ($1, $2, $3, $4, now(), now())', [
      `${provider.base}/one`,
      'bot',
      body.data.id,
      'create',
    ]);
    const text = expect.stringContaining('Nobody here has your account');
    expect(await come('create', { sub: 'bot' })).toEqual({ refused: 403, text });
  });
});

describe('what a provider grants', () => {
  const eve = { sub: 'eve', ...verified('eve@new.test') };

  it('is given, changed and taken at each sign-in', async () => {
    const roleAfter = async (claims: object) => {
      await come('granting', { ...eve, ...claims });
      return (await membersOf(acme))['eve@new.test'];
    };
    expect(await roleAfter({ groups: ['other'] })).toBeUndefined();
    expect(await roleAfter({ groups: ['staff'] })).toBe('VIEWER');
    expect(await roleAfter({ groups: ['staff', 'board'] })).toBe('EDITOR');
    const { body } = await service.api.as(keyOf('Ada')).get(`/organizations/${acme.id}/folders`);
    expect(JSON.stringify(body.data)).toContain('Board');
    expect(await roleAfter({ groups: 'staff' })).toBe('VIEWER');
    // Too many groups for a token: nobody knows whether it is still one of them.
    expect(await roleAfter({ _claim_names: { groups: 'src1' } })).toBe('VIEWER');
    expect(await roleAfter({})).toBeUndefined();
  });

  it('opens restricted folders and closes them', async () => {
    const opened = async (groups: string[]) => {
      await come('granting', { ...eve, groups });
      const rows: { user_id: string }[] = await service.dataSource.query(
        'SELECT m.user_id FROM folder_members m JOIN users u ON u.id = m.user_id WHERE u.email = $1 AND m.folder_id = $2',
        ['eve@new.test', board.id],
      );
      return rows.length;
    };
    expect([await opened(['board']), await opened(['staff'])]).toEqual([1, 0]);
  });

  it('is nothing where the directory of the organization has disabled somebody', async () => {
    const disabled = { sub: 'dora', ...verified('dora@new.test'), groups: ['staff'] };
    await come('granting', disabled);
    expect((await membersOf(acme))['dora@new.test']).toBe('VIEWER');
    const directory = await directoryOf(service, service.api.as(keyOf('Ada')), acme.id);
    const { status } = await directory.post(
      '/Users',
      entraUser('dora', { active: false, userName: 'dora@new.test', emails: [] }),
    );
    expect(status).toBe(201);
    await come('granting', disabled);
    expect((await membersOf(acme))['dora@new.test']).toBeUndefined();
  });

  it('neither takes a membership that somebody else gave, nor the last OWNER', async () => {
    expect(await come('granting', { sub: 'grace', ...verified(emailOf('Grace')) })).toMatchObject({
      name: 'Grace',
    });
    expect(await membersOf(beta)).toMatchObject({ 'grace@acme.test': 'VIEWER' });
    await come('granting', { sub: 'grace', groups: ['owners'] });
    expect(await membersOf(beta)).toMatchObject({ 'grace@acme.test': 'OWNER' });
    // Her role was granted, and her membership was not.
    await come('granting', { sub: 'grace' });
    expect(await membersOf(beta)).toMatchObject({ 'grace@acme.test': 'OWNER' });

    await come('granting', { ...eve, groups: ['owners'] });
    for (const name of ['Grace', 'Ada']) {
      const client = service.api.as(keyOf(name));
      const { id: userId } = (await client.get('/me')).body.data;
      const left = await client.delete(`/organizations/${beta.id}/members/${userId}`);
      expect(left.status).toBe(200);
    }
    await come('granting', eve);
    const members = 'SELECT role FROM organization_members WHERE organization_id = $1';
    expect(await service.dataSource.query(members, [beta.id])).toEqual([{ role: 'OWNER' }]);
  });
});
