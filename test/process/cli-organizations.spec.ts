import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailOf, id as newId, keyOf, recording, user } from '../factories/workspace.js';
import { commandLine } from '../support/command-line.js';
import type { Ended } from '../support/process.js';
import { eventually, startService, type TestService } from '../support/service.js';

const [ADA, GRACE, LIN] = ['Ada', 'Grace', 'Lin'].map((name) => user(name)) as [User, User, User];
type User = ReturnType<typeof user>;

/** In the order of a workspace: each test continues where the previous one ended. */
const TAKE = '--members-may-take-recordings';

describe('organizations on the command line', () => {
  let service: TestService;
  let acme: string;

  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: [ADA, GRACE, LIN] });
  });
  afterAll(() => service.stop());

  const cli = (...args: string[]): Promise<Ended> =>
    commandLine({ DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir }, ...args);
  const as = (name: string) => service.api.as(keyOf(name));
  const email = (name: string): string[] => ['--email', emailOf(name)];

  it('are created with an OWNER, on the default plan, and listed page by page', async () => {
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

    await service.dataSource.query(
      `INSERT INTO organizations (id, name, plan, subscription_status)
       SELECT gen_random_uuid(), 'Many ' || n, 'FREE', 'active' FROM generate_series(1, 250) n`,
    );
    expect(await json('orgs', 'list')).toHaveLength(252);
    expect(await json('orgs', 'list', '--search', 'many 2', '--limit', '101')).toHaveLength(62);
    expect(await json('orgs', 'list', '--limit', '150')).toHaveLength(150);
    expect(await json('orgs', 'list', '--search', 'nothing')).toEqual([]);
    expect(await says('orgs', 'list', '--search', 'ACME')).toBe(`${acme}  PRO, active, members: 1  Acme`);
    expect(await cli('orgs', 'list', '--search', 'nothing')).toMatchObject({
      status: 0,
      stdout: '',
      stderr: 'No organizations found.\n',
    });
    await service.dataSource.query(`DELETE FROM organizations WHERE name LIKE 'Many %'`);
  });

  it('are changed: name, plan, subscription and feature flags', async () => {
    const end = ['--subscription', 'trialing', '--subscription-ends-at', '2999-12-31'];
    const plan = ['--name', 'Acme Ltd', '--plan', 'ENTERPRISE', ...end];
    expect(await says('orgs', 'update', acme, ...plan, '--disable', 'questions, sharing', TAKE)).toBe(
      'Updated Acme: name Acme Ltd, plan ENTERPRISE, subscription trialing, subscription until 2999-12-31T00:00:00.000Z, disabled questions, sharing, members may take their recordings.',
    );
    const seen = async () => (await as('Ada').get(`/organizations/${acme}`)).body.data;
    expect(await seen()).toMatchObject({
      name: 'Acme Ltd',
      plan: 'ENTERPRISE',
      subscription: { status: 'trialing', ends_at: '2999-12-31T00:00:00.000Z' },
      features: { downloads: true, sharing: false, transcription: true, summaries: true, questions: false },
      members_may_take_recordings: true,
    });
    const back = [
      '--name',
      'Acme',
      `--no-${TAKE.slice(2)}`,
      '--subscription',
      'active',
      '--subscription-ends-at',
      'never',
    ];
    const printed = await json(
      'orgs',
      'update',
      acme,
      ...back,
      '--enable',
      'questions',
      '--enable',
      'sharing',
    );
    expect(printed).toEqual({ ...(await seen()), role: null });
    expect(printed).toMatchObject({
      name: 'Acme',
      subscription: { status: 'active', ends_at: null },
      features: { sharing: true, questions: true },
      members_may_take_recordings: false,
    });
  });

  it('have members that are added, changed and listed', async () => {
    const flags = ['--enable', 'view-all-recordings', '--disable', 'downloads,questions'];
    expect(await says('members', 'add', acme, ...email('Grace'), '--role', 'EDITOR', ...flags)).toBe(
      'Added grace@acme.test to Acme as EDITOR, enabled view_all_recordings, disabled downloads, questions.',
    );
    const added = await json('members', 'add', acme, ...email('Lin'), '--role', 'VIEWER');
    expect(added).toMatchObject({ id: LIN.id, email: 'lin@acme.test', role: 'VIEWER' });
    expect(await json('members', 'list', acme)).toEqual(
      (await as('Ada').get(`/organizations/${acme}/members`)).body.data,
    );
    expect(await says('members', 'list', acme, '--search', 'grace')).toBe(
      `${GRACE.id}  EDITOR  grace@acme.test  sharing,transcription,summaries,view_all_recordings,view_folder_recordings  Grace`,
    );
    expect(await says('members', 'update', acme, ...email('Lin'), '--role', 'ADMIN')).toBe(
      'Updated lin@acme.test in Acme: role ADMIN.',
    );
    const updated = await json(
      'members',
      'update',
      acme,
      ...email('Lin'),
      '--disable',
      'view_folder_recordings',
    );
    expect(updated).toMatchObject({ role: 'ADMIN', features: { view_folder_recordings: false } });
    const [listed] = (await as('Lin').get(`/organizations/${acme}/members?search=lin`)).body.data;
    expect(updated).toEqual({ ...listed, disabled_webhooks: [] });
  });

  it('have folders, open or restricted to members', async () => {
    const restricted = ['--restricted-to', `${emailOf('Grace')},${emailOf('Lin')}`];
    const board = await says('folders', 'create', acme, '--name', 'Board', ...restricted);
    const listed = async () => (await as('Ada').get(`/organizations/${acme}/folders?all=true`)).body.data;
    const restrictedTo = [GRACE.id, LIN.id].sort();
    expect(await listed()).toEqual([
      { id: board, name: 'Board', is_active: true, is_restricted: true, restricted_to: restrictedTo },
    ]);
    expect(await says('folders', 'list', acme)).toBe(`${board}  restricted to 2 members  Board`);
    await json('folders', 'update', acme, board, '--restricted-to', emailOf('Lin'));
    expect(await says('folders', 'list', acme)).toBe(`${board}  restricted to 1 member  Board`);
    expect(await says('folders', 'update', acme, board, '--restricted-to', 'none')).toBe(
      'Updated Board: restricted to no one.',
    );
    expect((await listed())[0]).toMatchObject({ is_restricted: true, restricted_to: [] });
    // A change of the name leaves the restriction alone.
    const renamed = await json('folders', 'update', acme, board, '--name', 'The board');
    expect(renamed).toMatchObject({ name: 'The board', is_restricted: true, restricted_to: [] });
    const opened = ['folders', 'update', acme, board, '--unrestricted', '--no-active'];
    expect(await says(...opened)).toBe('Updated The board: open to all members, inactive.');
    expect(await json('folders', 'list', acme)).toEqual([]);
    expect(await says('folders', 'list', acme, '--all')).toBe(
      `${board}  open to all members, inactive  The board`,
    );
    expect(await json('folders', 'list', acme, '--all')).toEqual(await listed());

    await json('folders', 'update', acme, board, '--active');
    await service.import({
      organizations: [{ id: acme, name: 'Acme', plan: 'ENTERPRISE' }],
      recordings: [recording('Grace', { organization: 'Acme', folder: 'The board' })],
    });
    expect(await says('folders', 'delete', acme, board)).toBe(
      'Deleted the folder The board of Acme; 1 recording is no longer in a folder.',
    );
    expect(await json('folders', 'list', acme, '--all')).toEqual([]);
    expect((await as('Grace').get('/recordings')).body.data).toHaveLength(1);
    await refuses(4, /^Folder not found\.$/, 'folders', 'delete', acme, board);
  });

  it('lose members, whose recordings stay with another owner', async () => {
    await refuses(
      2,
      /^--new-owner: must be another member of "[^"]+"$/,
      'members',
      'remove',
      acme,
      ...email('Grace'),
      '--new-owner',
      emailOf('Grace'),
    );
    await json('members', 'update', acme, ...email('Grace'), '--role', 'ADMIN');
    const url = 'https://hooks.example.com/token';
    const webhook = { url, types: ['*'], organization_id: acme };
    const { id } = (await as('Grace').post('/webhooks', webhook)).body.data;
    expect(await says('members', 'remove', acme, ...email('Grace'), '--new-owner', emailOf('Lin'))).toBe(
      `Removed grace@acme.test from Acme; 1 recording now belongs to lin@acme.test; disabled 1 webhook: https://hooks.example.com/... (${id}).`,
    );
    expect((await as('Grace').get(`/organizations/${acme}`)).body.error.code).toBe('FORBIDDEN');
    expect((await as('Lin').get('/recordings')).body.data).toHaveLength(1);
    expect(await json('members', 'remove', acme, ...email('Lin'))).toEqual({
      id: LIN.id,
      email: 'lin@acme.test',
      recordings: 1,
      new_owner: ADA.id,
      disabled_webhooks: [],
      ended_share_links: 0,
      ended_invitations: 0,
    });
    await refuses(3, /the last one/, 'members', 'remove', acme, ...email('Ada'));
    await refuses(3, /the last one/, 'members', 'update', acme, ...email('Ada'), '--role', 'ADMIN');
  });

  it('are deleted with their recordings only if asked to', async () => {
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
    const usage: [args: string[], message: RegExp][] = [
      [['orgs', 'create', '--name', 'New'], /required option '--owner <user>' not specified/],
      [['orgs', 'update', beta.id], /^Specify at least one of --name, --plan/],
      [['orgs', 'update', beta.id, '--name', ' '], /^--name: must have 1 to 200 characters$/],
      [['orgs', 'update', beta.id, '--plan', 'GOLD'], /Allowed choices are FREE, PRO, ENTERPRISE/],
      [['orgs', 'update', beta.id, '--enable', 'flying'], /Allowed values: downloads, sharing/],
      [['orgs', 'update', beta.id, '--enable', 'view_all_recordings'], /Allowed values: downloads, sharing/],
      [['orgs', 'update', beta.id, '--enable', 'sharing', '--disable', 'sharing'], /^sharing is in both/],
      [
        ['orgs', 'update', beta.id, '--subscription-ends-at', 'soon'],
        /^--subscription-ends-at: must be an ISO/,
      ],
      [['orgs', 'list', '--limit', '0'], /must be a positive integer/],
      [['members', 'add', beta.id, ...email('Ada')], /required option '--role <role>' not specified/],
      [['members', 'update', beta.id, ...email('Lin')], /^Specify at least one of --role/],
      [['folders', 'update', beta.id, newId(), '--unrestricted', '--restricted-to', 'none'], /together$/],
      [['folders', 'update', beta.id], /missing required argument 'folder'/],
    ];
    for (const [args, message] of usage) await refuses(2, message, ...args);

    const absent: [args: string[], message: RegExp][] = [
      [['orgs', 'create', '--name', 'New', '--owner', 'eve@acme.test'], /^--owner: there is no user/],
      [['orgs', 'update', newId(), '--name', 'New'], /^Organization not found\.$/],
      [['orgs', 'delete', 'no-id'], /^Organization not found\.$/],
      [['members', 'list', newId()], /^Organization not found\.$/],
      [['members', 'remove', beta.id, ...email('Ada')], /^--email: "ada@acme.test" is not a member/],
      [
        ['folders', 'create', beta.id, '--name', 'A', '--restricted-to', emailOf('Ada')],
        /^--restricted-to: "ada/,
      ],
      [['folders', 'update', beta.id, newId(), '--name', 'A'], /^Folder not found\.$/],
    ];
    for (const [args, message] of absent) await refuses(4, message, ...args);

    await says('folders', 'create', beta.id, '--name', 'One');
    await refuses(3, /already has a folder named "One"/, 'folders', 'create', beta.id, '--name', 'One');
    await refuses(3, /is already a member/, 'members', 'add', beta.id, ...email('Lin'), '--role', 'VIEWER');
    expect(await json('orgs', 'list')).toMatchObject([{ name: 'Beta', plan: 'FREE', member_count: 1 }]);
  });

  it('are printed without characters that control the terminal', async () => {
    const [beta] = (await json('orgs', 'list')) as [{ id: string }];
    const hostile = 'Beta\u001b[2J\u009b1m\u202e\r\nforged';
    expect(await says('orgs', 'update', beta.id, '--name', hostile)).toBe(
      'Updated Beta: name Beta [2J 1m   forged.',
    );
    expect(await says('orgs', 'list')).toMatch(/ {2}Beta \[2J 1m {3}forged$/);
    const { stdout } = await cli('orgs', 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ name: hostile }]);
    expect(stdout).toMatch(/^[\u0020-\u007e]+\n$/);
    expect(await says('orgs', 'delete', beta.id)).toMatch(/^Deleted Beta \[2J 1m {3}forged with/);
  });

  async function says(...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await cli(...args);
    expect([args, status, stderr]).toEqual([args, 0, '']);
    return stdout.trimEnd();
  }

  async function json(...args: string[]): Promise<ReturnType<typeof JSON.parse>> {
    const printed = await says(...args, '--json');
    expect(printed.split('\n')).toHaveLength(1);
    return JSON.parse(printed);
  }

  async function refuses(expected: number, message: RegExp, ...args: string[]): Promise<void> {
    const { status, stdout, stderr } = await cli(...args);
    expect([args, stderr.trimEnd()]).toEqual([args, expect.stringMatching(message)]);
    expect([args, status, stdout]).toEqual([args, expected, '']);
  }
});
