import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, id, member, organization, recording, user } from '../factories/workspace.js';
import { commandsOn } from '../support/command-line.js';
import { startService, type TestService } from '../support/service.js';

/** Each test continues where the previous one ended. */
describe('service accounts and limited keys on the command line', () => {
  let service: TestService;
  const [ada, board] = [user('Ada'), folder('Board')];
  const acme = organization('Acme', { members: [member('Ada', 'OWNER')], folders: [board] });
  const inBoard = recording('Ada', { organization: 'Acme', folder: 'Board' });
  const elsewhere = recording('Ada', { organization: 'Acme' });

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [ada], organizations: [acme], recordings: [inBoard, elsewhere] });
  });
  afterAll(() => service.stop());

  const { cli, says, json, refuses } = commandsOn(() => service);
  const listed = async (key: string): Promise<string[]> =>
    (await service.api.as(key).get('/recordings')).body.data.map((one: { id: string }) => one.id);

  it('are created with a key, get more, and are deleted', async () => {
    expect(await cli('services', 'list', acme.id)).toMatchObject({
      stderr: expect.stringMatching(/\nNo service accounts found\.\n$/),
    });
    const options = ['--name', 'CRM sync', '--role', 'ADMIN', '--folders', board.id, '--expires-in', '90d'];
    const key = await says('services', 'create', acme.id, ...options);
    expect(await listed(key)).toEqual([inBoard.id]);
    const [account] = await json('services', 'list', acme.id);
    expect(account).toMatchObject({ name: 'CRM sync', role: 'ADMIN' });
    expect(await says('services', 'list', acme.id)).toBe(`${account.id}  ADMIN  CRM sync`);
    const second = await json('keys', 'create', '--id', account.id, '--name', 'second');
    expect(second.organizations).toEqual([acme.id]);
    expect(await listed(second.key)).toHaveLength(2);
    await refuses(3, /only the name can be changed/, 'users', 'update', '--id', account.id, '--operator');
    expect(await says('services', 'delete', acme.id, account.id)).toBe(
      'Deleted the service account CRM sync; 0 recordings handed over.',
    );
    expect((await service.api.as(second.key).get('/me')).status).toBe(401);
    await refuses(4, /no such service account/, 'services', 'delete', acme.id, account.id);
    await refuses(
      2,
      /Allowed choices are ADMIN, EDITOR, VIEWER/,
      'services',
      'create',
      acme.id,
      '--name',
      'x',
      '--role',
      'OWNER',
    );
  });

  it('limits a new key to organizations, folders and addresses, and lists what it reaches', async () => {
    const create = ['keys', 'create', '--id', ada.id, '--name'];
    const ofBoard = await json(...create, 'board', '--folders', board.id);
    expect(ofBoard).toMatchObject({ organizations: [acme.id], folders: [board.id] });
    expect(await listed(ofBoard.key)).toEqual([inBoard.id]);
    const far = await json(
      ...create,
      'far',
      '--organizations',
      acme.id,
      '--addresses',
      '203.0.113.0/24, 2001:db8::1',
    );
    expect(far.addresses).toHaveLength(2);
    expect((await service.api.as(far.key).get('/me')).status).toBe(403);
    const lines = (await says('keys', 'list', '--id', ada.id)).split('\n');
    expect(lines.map((line) => line.split(/ {2,}/).slice(3))).toEqual([
      ['full', '1 organization', 'far'],
      ['full', '1 folder', 'board'],
      ['full', 'all', 'test'],
    ]);
    await refuses(
      2,
      /--folders: must be 1 to 100 ids, with commas between, not "x"/,
      ...create,
      'x',
      '--folders',
      'x',
    );
    await refuses(
      2,
      /--addresses: must be 1 to 100 IP addresses or ranges/,
      ...create,
      'x',
      '--addresses',
      '10.0.0.0/33',
    );
    await refuses(
      2,
      /organizations: must be ids of organizations that/,
      ...create,
      'x',
      '--organizations',
      id(),
    );
  });
});
