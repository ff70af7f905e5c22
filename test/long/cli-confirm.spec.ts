import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { member, organization, recording, user } from '../factories/workspace.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { query, Sandbox, type Ended, type Environment } from '../support/process.js';
import { PYTHON } from '../support/requirements.js';
import { inTerminal } from '../support/terminal.js';

const QUESTION = 'Delete ada@acme.test (Ada) with their personal recordings and share links? [y/N] ';

const acme = organization('Acme', {
  members: [member('Olga', 'OWNER'), member('Eve', 'EDITOR')],
});

const meeting = recording('Eve');

/** Each with its arguments and what it asks. */
const COMMANDS = [
  [
    'users delete',
    ['--email', 'eve@acme.test'],
    'Delete eve@acme.test (Eve) with their personal recordings and share links',
  ],
  ['orgs delete', [acme.id], 'Delete Acme with 2 memberships'],
  [
    'recordings delete',
    [meeting.id],
    'Delete "Weekly sync" of Eve with its transcript, summary and share links',
  ],
  ['keys revoke', ['mrs_Eve00000'], 'Revoke mrs_Eve00000 (test) permanently'],
  [
    'keys reseal --delete-lost',
    [],
    'Delete the share links, webhooks and URLs of uploads that are encrypted with a lost key',
  ],
] as const;

const STATE = [
  'recordings',
  'users',
  'organizations',
  'organization_members',
  'folders',
  'api_keys',
  'sealing_keys',
]
  .map((table) => `SELECT '${table}' AS table, to_jsonb(t) AS row FROM ${table} t`)
  .join(' UNION ALL ');

describe('a command that deletes something', () => {
  const sandbox = new Sandbox();
  let database: TestDatabase;
  let settings: Environment & { readonly DATA_DIR: string };

  beforeAll(async () => {
    database = await createDatabase();
    settings = { DATABASE_URL: database.url, DATA_DIR: await sandbox.folder() };
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await database.drop();
  });

  const answering = async (answer: string, args: readonly string[]): Promise<Ended> =>
    (await inTerminal(sandbox, [resolve('scripts/cli.js'), ...args], settings, answer)).ended;
  const remove = ['users', 'delete', '--email', 'ada@acme.test'];
  const addAda = (): Promise<object[]> =>
    query(
      database.url,
      `INSERT INTO users (id, email, email_verified, name, plan)
       VALUES ('019c1d5d-9c00-7a01-8a00-5eed0000a001', 'ada@acme.test', true, 'Ada', 'PRO') ON CONFLICT DO NOTHING`,
    );
  const names = (): Promise<object[]> => query(database.url, `SELECT name FROM users WHERE name = 'Ada'`);

  it('asks nothing where there is no terminal', async () => {
    await addAda();
    expect(await sandbox.cli(settings, '--quiet', ...remove)).toMatchObject({ status: 0, stderr: '' });
    expect(await names()).toEqual([]);
  });

  PYTHON.describe('on a terminal', () => {
    beforeAll(async () => {
      const users = [user('Olga'), user('Eve')];
      const imported = await sandbox.importInto(settings, {
        users,
        organizations: [acme],
        recordings: [meeting],
      });
      expect(imported).toMatchObject({ status: 0 });
    });

    it.each([
      ['another word', 'yesterday\\n'],
      ['Ctrl-C', '\\x03'],
      ['the end of the input', '\\x04'],
    ])('does nothing after %s', async (_, answer) => {
      await addAda();
      const { status, stdout } = await answering(answer, remove);
      expect([status, stdout]).toEqual([3, expect.stringContaining(QUESTION)]);
      expect(stdout).toMatch(/Nothing was changed\.\n$/);
      expect(await names()).toEqual([{ name: 'Ada' }]);
    });

    it('lists as a table, and names beside ids', async () => {
      const { stdout } = await answering('', ['users', 'list', '--search', 'olga']);
      expect(stdout.replaceAll('\r', '')).toMatch(
        /^Using the database .+\nID {36}PLAN {2}EMAIL {11}NAME\n[0-9a-f-]{36} {2}PRO {3}olga@acme\.test {2}Olga\n$/,
      );
    });

    it('goes on after yes', async () => {
      await addAda();
      expect(await answering('Y\\n', remove)).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/Deleted ada@acme\.test and 0 personal recordings/),
      });
      expect(await names()).toEqual([]);
    });

    it('asks nothing with --yes', async () => {
      await addAda();
      const { status, stdout } = await answering('', [...remove, '--yes']);
      expect([status, stdout.includes('[y/N]')]).toEqual([0, false]);
      expect(await names()).toEqual([]);
    });

    const state = async (): Promise<unknown[]> => [
      await query(database.url, `${STATE} ORDER BY 1, 2`),
      ...(await Promise.all(
        ['url-signing-key', 'sealing-key'].map((name) => readFile(join(settings.DATA_DIR, name), 'utf8')),
      )),
    ];

    it.each(COMMANDS)('%s changes nothing after a no', async (command, more, question) => {
      const before = await state();
      const { status, stdout } = await answering('n\\n', [...command.split(' '), ...more]);
      expect([status, stdout]).toEqual([3, expect.stringContaining(`${question}? [y/N] `)]);
      expect(stdout).toMatch(/Nothing was changed\.\n$/);
      expect(await state()).toEqual(before);
    });
  });
});
