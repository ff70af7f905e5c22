import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, keyOf, member, organization, recording, user } from '../factories/workspace.js';
import { commandsOn } from '../support/command-line.js';
import { startService, type TestService } from '../support/service.js';

const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR'), member('Lin', 'EDITOR')],
});
const WORLD = {
  users: [user('Ada'), user('Grace'), user('Lin')],
  organizations: [acme],
  recordings: [recording('Grace'), recording('Grace', { organization: 'Acme' })],
};

describe('users and keys on the command line', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    await service.import(WORLD);
  });
  afterAll(() => service.stop());

  const { cli, says, json, refuses } = commandsOn(() => service);
  const as = (name: string) => service.api.as(keyOf(name));
  const email = (name: string): string[] => ['--email', emailOf(name)];

  it('lists users page by page, newest first, or those that match', async () => {
    await service.dataSource.query(
      `INSERT INTO users (id, email, name, plan)
       SELECT gen_random_uuid(), 'many' || n || '@acme.test', 'Many', 'FREE' FROM generate_series(1, 230) n`,
    );
    const all = await json('users', 'list');
    expect(new Set(all.map(({ id }: { id: string }) => id)).size).toBe(233);
    expect(await json('users', 'list', '--limit', '105')).toEqual(all.slice(0, 105));
    await service.dataSource.query(`DELETE FROM users WHERE name = 'Many'`);
    const [lin] = WORLD.users.slice(2);
    expect(await says('users', 'list', '--search', 'LIN')).toBe(`${lin!.id}  PRO  lin@acme.test  Lin`);
    expect(await cli('users', 'list', '--search', 'nobody')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(/\nNo users found\.\n$/),
    });
    await refuses(
      2,
      /^--search: must have 1 to 500 characters, without control characters$/,
      'users',
      'list',
      '--search',
      ' ',
    );
  });

  it('creates users on the plan of DEFAULT_PLAN, or on the one given', async () => {
    const create = (name: string, ...more: string[]): string[] => {
      return ['users', 'create', '--name', name, ...email(name), ...more];
    };
    expect(await json(...create('Eve'))).toMatchObject({ name: 'Eve', plan: 'PRO' });
    expect(await json(...create('Bob', '--plan', 'FREE'))).toMatchObject({ plan: 'FREE' });
  });

  it('changes users: name, email address, plan, and whether they are operators', async () => {
    expect((await as('Ada').get('/users')).body.error.code).toBe('FORBIDDEN');
    expect(await says('users', 'update', ...email('Ada'), '--operator', '--plan', 'FREE')).toBe(
      'Updated ada@acme.test.',
    );
    const search = '/users?search=ada@';
    const { data } = (await as('Ada').get(search)).body;
    expect(data).toMatchObject([{ email: 'ada@acme.test', name: 'Ada', plan: 'FREE', is_operator: true }]);
    expect(await json('users', 'list', '--search', 'ada@')).toEqual(data);
    expect(await says('users', 'list', '--search', 'ada@')).toContain('  FREE, operator  ada@acme.test  ');

    const renamed = ['--name', 'Ada L', '--new-email', 'lovelace@acme.test'];
    expect(await json('users', 'update', ...email('Ada'), ...renamed)).toEqual({
      ...data[0],
      name: 'Ada L',
      email: 'lovelace@acme.test',
    });
    const back = ['--name', 'Ada', '--new-email', 'ada@acme.test', '--no-operator'];
    expect(await says('users', 'update', '--email', 'LOVELACE@acme.test', ...back)).toBe(
      'Updated lovelace@acme.test.',
    );
    expect((await as('Ada').get(search)).body.error.code).toBe('FORBIDDEN');

    await refuses(2, /^Specify at least one of --name/, 'users', 'update', ...email('Ada'));
    const given =
      /'ENTERPRISE' is invalid. ENTERPRISE is a plan of organizations. Allowed choices are FREE, PRO./;
    await refuses(2, given, 'users', 'update', ...email('Ada'), '--plan', 'ENTERPRISE');
    await refuses(2, /^--new-email: must be an/, 'users', 'update', ...email('Ada'), '--new-email', 'ada');
    await refuses(3, /already exists/, 'users', 'update', ...email('Ada'), '--new-email', emailOf('Lin'));
    await refuses(4, /^--email: there is no user/, 'users', 'update', ...email('Nobody'), '--plan', 'PRO');
  });

  it('finds nobody by an address that they only claimed, but by their id', async () => {
    const [real, claimant] = ['--email', 'claimed@acme.test'];
    await service.dataSource.query(
      `INSERT INTO users (id, email, name, plan) VALUES (gen_random_uuid(), $1, 'Mallory', 'FREE')`,
      [claimant],
    );
    const [{ id }] = await json('users', 'list', '--search', claimant);
    expect(await says('users', 'list', '--search', claimant)).toContain(
      '  claimed@acme.test (not verified)  Mallory',
    );
    await refuses(4, /^--email: there is no user/, 'keys', 'create', real, claimant, '--name', 'laptop');
    await refuses(4, /^--new-owner: there/, 'users', 'delete', ...email('Lin'), '--new-owner', claimant);
    expect(await json('users', 'create', real, claimant, '--name', 'Real')).toMatchObject({ name: 'Real' });
    expect(await json('keys', 'list', '--id', id)).toEqual([]);
    const confirmed = ['users', 'update', '--id', id, '--new-email'];
    await refuses(3, /already exists/, ...confirmed, claimant);
    expect(await json(...confirmed, 'mallory@acme.test')).toMatchObject({ email_verified: true });
    await refuses(2, /'--id <id>' cannot be used with/, 'keys', 'list', '--id', id, ...email('Lin'));
    await refuses(2, /required option '--email <email>' or '--id <id>' not specified/, 'keys', 'list');
  });

  it('deletes users, and says whose their recordings are now', async () => {
    await refuses(3, /the last one/, 'users', 'delete', ...email('Ada'));
    const remove = ['users', 'delete', ...email('Grace'), '--new-owner'];
    await refuses(4, /^--new-owner: there is no user/, ...remove, emailOf('Nobody'));
    await refuses(2, /^--new-owner: must be another member/, ...remove, emailOf('Bob'));
    expect(await says(...remove, emailOf('Lin'))).toBe(
      'Deleted grace@acme.test and 1 personal recording; 1 organization recording now belongs to lin@acme.test; API keys were kept.',
    );
    expect((await as('Grace').get('/me')).body.error.code).toBe('USER_NOT_FOUND');
    expect((await as('Lin').get('/recordings')).body.data).toHaveLength(1);
    await refuses(4, /^--email: there is no user/, 'users', 'delete', ...email('Grace'), '--yes');
  });

  it('revokes a key only once, with the right exit status for each refusal', async () => {
    const { id, prefix } = await json('keys', 'create', ...email('Lin'), '--name', 'laptop');
    expect(await json('keys', 'list', ...email('Lin'))).toMatchObject([{ id, is_revoked: false }, {}]);
    expect(await json('keys', 'revoke', id)).toEqual({ id, prefix });
    await refuses(3, /has been revoked already$/, 'keys', 'revoke', prefix);
    await refuses(4, /^key: there is no API key/, 'keys', 'revoke', 'mrs_nobody00');
    await refuses(3, /^key: the user of .* was deleted/, 'keys', 'revoke', keyOf('Grace').slice(0, 12));
    const expired = ['--name', 'a', '--expires-at', '1999'];
    await refuses(2, /^--expires-at: /, 'keys', 'create', ...email('Lin'), ...expired);
    const noTime = ['--name', 'a', '--expires-at', 'yesterday'];
    const example = /^--expires-at: must be .* such as 2030-01-31, not "yesterday"$/;
    await refuses(2, example, 'keys', 'create', ...email('Lin'), ...noTime);
  });

  it('creates keys with scopes, for a time', async () => {
    const create = ['keys', 'create', ...email('Lin'), '--name', 'narrow'];
    const made = await json(...create, '--scopes', 'read-only, questions', '--expires-in', '12h');
    expect(made.scopes).toEqual(expect.arrayContaining(['recordings:read', 'questions']));
    expect(made.scopes).not.toContain('recordings:write');
    const life = Date.parse(made.expires_at) - Date.parse(made.created_at);
    expect(Math.round(life / 60_000)).toBe(12 * 60);
    expect((await service.api.as(made.key).delete(`/api-keys/${made.id}`)).status).toBe(403);
    expect(await json(...create, '--scopes', 'full')).toMatchObject({ scopes: null, expires_at: null });
    expect(await says('keys', 'list', ...email('Lin'))).toMatch(
      new RegExp(
        `^${made.id}  mrs_z1.{6}  expires .*, never used  recordings:read,.*questions.*  narrow$`,
        'm',
      ),
    );

    const unknown =
      /^--scopes: there is no scope "read"; choose from recordings:read, .*, operator, read-only, full$/;
    await refuses(2, unknown, ...create, '--scopes', 'recordings:read,read');
    await refuses(2, /^--scopes: must name at least one scope; /, ...create, '--scopes', ' ,');
    const duration =
      /^--expires-in: must be days, hours or minutes such as 90d, 12h or 30m, from 1m to 3650d, not "/;
    for (const wrong of ['90', '0m', '4000d', '-1d', '1.5h', 'soon'])
      await refuses(2, duration, ...create, `--expires-in=${wrong}`);
    await refuses(2, /cannot be used with/, ...create, '--expires-in', '1d', '--expires-at', '2098-01-01');
  });

  it('rotates a key, which works until the end of the overlap', async () => {
    const old = await json('keys', 'create', ...email('Lin'), '--name', 'robot', '--scopes', 'profile:read');
    await refuses(
      2,
      /^--overlap: must .* from 0m to 7d, not "8d"$/,
      'keys',
      'rotate',
      old.id,
      '--overlap',
      '8d',
    );
    const rotated = await json('keys', 'rotate', old.id, '--overlap', '7d');
    expect(rotated).toMatchObject({ name: 'robot', scopes: ['profile:read'], replaced: { id: old.id } });
    const overlap = Date.parse(rotated.replaced.expires_at) - Date.parse(rotated.created_at);
    expect(Math.round(overlap / 86_400_000)).toBe(7);
    for (const { key } of [old, rotated]) expect((await service.api.as(key).get('/me')).status).toBe(200);
    await refuses(3, /^The API key has been rotated already; /, 'keys', 'rotate', old.id);

    const printed = await says('keys', 'rotate', rotated.id, '--overlap', '0m');
    expect((await service.api.as(printed).get('/me')).status).toBe(200);
    expect((await service.api.as(rotated.key).get('/me')).body.error.code).toBe('API_KEY_EXPIRED');
    await refuses(4, /^key: there is no API key/, 'keys', 'rotate', 'mrs_nobody00');
  });

  it('lists the keys of all users that work and have not been used for a time', async () => {
    const days = (ago: number): Date => new Date(Date.now() - ago * 86_400_000);
    const make = async (
      name: string,
      {
        created = 200,
        used,
        expires,
        revoked,
      }: { created?: number; used?: number; expires?: number; revoked?: number } = {},
    ) => {
      const [{ id }] = await service.dataSource.query(
        `INSERT INTO api_keys (id, user_id, name, prefix, hash, created_at, last_used_at, expires_at, revoked_at)
         SELECT gen_random_uuid(), id, $1, 'mrs_' || left(md5($1), 8), sha256($1::bytea), $3, $4, $5, $6
         FROM users WHERE email = $2 RETURNING id`,
        [
          name,
          emailOf(name.startsWith('ada') ? 'Ada' : 'Lin'),
          ...[created, used, expires, revoked].map((ago) => (ago === undefined ? null : days(ago))),
        ],
      );
      return id as string;
    };
    const unused = [await make('lin never used'), await make('ada used long ago', { used: 91 })];
    await make('lin new', { created: 89 });
    await make('ada used lately', { used: 89 });
    await make('lin expired', { expires: 1 });
    await make('ada revoked', { revoked: 1 });
    const expiring = await make('lin expires', { created: 300, expires: -1 });

    const listed = await json('keys', 'list', '--unused', '90d');
    expect(listed.map(({ id }: { id: string }) => id).toSorted()).toEqual([...unused, expiring].toSorted());
    expect(listed.at(-1)).toMatchObject({
      id: expiring,
      last_used_at: null,
      user: { email: 'lin@acme.test' },
    });
    expect(await json('keys', 'list', '--unused', '90d', ...email('Ada'))).toMatchObject([{ id: unused[1] }]);
    expect(await says('keys', 'list', '--unused', '90d', ...email('Ada'))).toMatch(
      /^ada@acme\.test  .* never expires, last used .*  full  all  ada used long ago$/,
    );
    expect(await cli('keys', 'list', '--unused', '1000d')).toMatchObject({ status: 0, stdout: '' });
    await refuses(2, /^--unused: must be days/, 'keys', 'list', '--unused', 'ever');
  });

  it('lists unused keys page by page', async () => {
    await service.dataSource.query(
      `INSERT INTO api_keys (id, user_id, name, prefix, hash, created_at)
       SELECT gen_random_uuid(), u.id, 'many', 'mrs_many0000', sha256(n::text::bytea), '2020-01-01'
       FROM users u, generate_series(1, 230) n WHERE u.email = 'lin@acme.test'`,
    );
    const listed = await json('keys', 'list', '--unused', '1000d');
    expect(new Set(listed.map(({ id }: { id: string }) => id)).size).toBe(230);
    await service.dataSource.query(`DELETE FROM api_keys WHERE name = 'many'`);
  });
});
