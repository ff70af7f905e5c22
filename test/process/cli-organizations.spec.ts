import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, keyOf, recording, user } from '../factories/workspace.js';
import { commandsOn } from '../support/command-line.js';
import { eventually, startService, type TestService } from '../support/service.js';

/** Each test continues where the previous one ended. */
describe('organizations on the command line', () => {
  let service: TestService;
  let acme: string;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [user('Ada'), user('Lin')] });
  });
  afterAll(() => service.stop());

  const { cli, says, json, refuses } = commandsOn(() => service);
  const as = (name: string) => service.api.as(keyOf(name));

  it('are created with an OWNER, on the default plan, and listed', async () => {
    acme = await says('orgs', 'create', '--name', ' Acme ', '--owner', emailOf('Ada'));
    const other = await json('orgs', 'create', '--name', 'Beta', '--owner', emailOf('Lin'), '--plan', 'FREE');
    const { data } = (await as('Ada').get(`/organizations/${acme}`)).body;
    expect(data).toMatchObject({ name: 'Acme', role: 'OWNER', member_count: 1, plan: 'PRO' });
    expect(other).toEqual({
      ...data,
      id: expect.any(String),
      name: 'Beta',
      role: null,
      plan: 'FREE',
      quotas: expect.any(Object),
      created_at: expect.any(String),
    });

    expect(await json('orgs', 'list')).toHaveLength(2);
    expect(await json('orgs', 'list', '--limit', '1')).toHaveLength(1);
    expect(await says('orgs', 'list', '--search', 'ACME')).toBe(`${acme}  PRO, active, members: 1  Acme`);
    expect(await cli('orgs', 'list', '--search', 'nothing')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: 'No organizations found.\n',
    });
  });

  it('are changed: name, plan and subscription', async () => {
    const end = ['--subscription', 'trialing', '--subscription-ends-at', '2999-12-31'];
    const plan = ['--name', 'Acme Ltd', '--plan', 'ENTERPRISE', ...end];
    expect(await says('orgs', 'update', acme, ...plan)).toBe('Updated Acme.');
    const seen = async () => (await as('Ada').get(`/organizations/${acme}`)).body.data;
    expect(await seen()).toMatchObject({
      name: 'Acme Ltd',
      plan: 'ENTERPRISE',
      subscription: { status: 'trialing', ends_at: '2999-12-31T00:00:00.000Z' },
    });
    const back = ['--name', 'Acme', '--subscription', 'active', '--subscription-ends-at', 'never'];
    const printed = await json('orgs', 'update', acme, ...back);
    expect(printed).toEqual({ ...(await seen()), role: null });
    expect(printed).toMatchObject({ name: 'Acme', subscription: { status: 'active', ends_at: null } });
  });

  it('limit how long API keys may work, or no longer', async () => {
    expect(await json('orgs', 'update', acme, '--api-key-max-days', '90')).toMatchObject({
      name: 'Acme',
      api_key_max_days: 90,
    });
    expect((await as('Ada').get(`/organizations/${acme}`)).body.error.message).toMatch(/at most 90 days/);
    await says('orgs', 'update', acme, '--api-key-max-days', 'none');
    expect((await as('Ada').get(`/organizations/${acme}`)).body.data.api_key_max_days).toBeNull();
  });

  it('list the apps that reach them, or let in any', async () => {
    const apps = await json(
      'orgs',
      'update',
      acme,
      '--oauth-clients',
      'mrs, https://assistant.example/c.json',
    );
    expect(apps).toMatchObject({ oauth_clients: ['mrs', 'https://assistant.example/c.json'] });
    await refuses(
      2,
      /^--oauth-clients: must be 1 to 50 client ids/,
      'orgs',
      'update',
      acme,
      '--oauth-clients',
      '',
    );
    expect(await json('orgs', 'update', acme, '--oauth-clients', 'any')).toMatchObject({
      oauth_clients: null,
    });
  });

  it('are deleted with their recordings only if asked to', async () => {
    const organizations = [{ id: acme, name: 'Acme', plan: 'ENTERPRISE' }];
    await service.import({ organizations, recordings: [recording('Ada', { organization: 'Acme' })] });
    await refuses(
      3,
      /^The organization has 1 recording\. Move its recordings elsewhere, or use --recordings delete to delete them too\.$/,
      'orgs',
      'delete',
      acme,
    );
    expect((await as('Ada').get('/recordings')).body.data).toHaveLength(1);
    expect(await says('orgs', 'delete', acme, '--recordings', 'delete')).toBe(
      'Deleted Acme with 1 membership and 1 recording.',
    );
    expect((await as('Ada').get('/recordings')).body.data).toEqual([]);
    const names = (await json('orgs', 'list')).map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Beta']);
    await eventually(async () => {
      expect(await service.dataSource.query('SELECT name FROM organizations')).toEqual([{ name: 'Beta' }]);
    });
  });

  it('say what is wrong, with the exit status for it, and change nothing', async () => {
    const [beta] = (await json('orgs', 'list')) as [{ id: string }];
    const refused: [status: number, message: RegExp, ...args: string[]][] = [
      [2, /required option '--owner <user>' not specified/, 'create', '--name', 'New'],
      [2, /^Specify at least one of --name, --plan/, 'update', beta.id],
      [
        2,
        /^--name: must have 1 to 200 characters, without control characters$/,
        'update',
        beta.id,
        '--name',
        ' ',
      ],
      [2, /^--subscription-ends-at: must be an ISO/, 'update', beta.id, '--subscription-ends-at', 'soon'],
      [
        2,
        /^--api-key-max-days: must be a number from 1 to 3650, or none, not "0"$/,
        'update',
        beta.id,
        '--api-key-max-days',
        '0',
      ],
      [4, /^--owner: there is no user/, 'create', '--name', 'New', '--owner', 'eve@acme.test'],
      [4, /^no-id: there is no organization with this id \(orgs list\)$/, 'delete', 'no-id'],
    ];
    for (const [status, message, ...args] of refused) await refuses(status, message, 'orgs', ...args);
    expect(await json('orgs', 'list')).toMatchObject([{ name: 'Beta', plan: 'FREE', member_count: 1 }]);
  });

  it('are printed without characters that control the terminal', async () => {
    const [beta] = (await json('orgs', 'list')) as [{ id: string }];
    const hostile = 'Beta\u001b[2J\u009b1m\u202e\r\nforged';
    await refuses(
      2,
      /^--name: must have 1 to 200 characters, without control/,
      'orgs',
      'update',
      beta.id,
      '--name',
      hostile,
    );
    // As 1.0.0 took it.
    await service.dataSource.query('UPDATE organizations SET name = $1 WHERE id = $2', [hostile, beta.id]);
    expect(await says('orgs', 'list')).toMatch(/ {2}Beta \[2J 1m {3}forged$/);
    const { stdout } = await cli('orgs', 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ name: hostile }]);
    expect(stdout).toMatch(/^[\u0020-\u007e]+\n$/);
    expect(await says('orgs', 'delete', beta.id)).toMatch(/^Deleted Beta \[2J 1m {3}forged with/);
  });
});
