import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { member, organization, user } from '../factories/workspace.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { query, Sandbox, type Ended, type Environment } from '../support/process.js';
import { PYTHON } from '../support/requirements.js';

/** Runs its arguments after the first in a terminal, and types the first once it is asked. */
const IN_TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[2], sys.argv[2:])
seen = b''
try:
    while True:
        seen += os.read(terminal, 65536)
        if b'[y/N] ' in seen and len(sys.argv[1]) > 0:
            os.write(terminal, sys.argv[1].encode().decode('unicode_escape').encode())
            sys.argv[1] = ''
except OSError: pass
os.write(1, seen.replace(b'\\r\\n', b'\\n'))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

const QUESTION = 'Delete ada@acme.test (Ada) with their personal recordings and share links? [y/N] ';

const acme = organization('Acme', {
  members: [member('Olga', 'OWNER'), member('Eve', 'EDITOR')],
});

/** Each with its arguments and what it asks. */
const COMMANDS = [
  [
    'users delete',
    ['--email', 'eve@acme.test'],
    'Delete eve@acme.test (Eve) with their personal recordings and share links',
  ],
  ['orgs delete', [acme.id], 'Delete Acme with 2 memberships'],
  ['keys revoke', ['mrs_Eve00000'], 'Revoke mrs_Eve00000 (test) permanently'],
  [
    'keys reseal --delete-lost',
    [],
    'Delete the share links, webhooks and URLs of uploads that are encrypted with a lost key',
  ],
] as const;

const STATE = ['users', 'organizations', 'organization_members', 'folders', 'api_keys', 'sealing_keys']
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
    expect(await sandbox.cli(settings, ...remove)).toMatchObject({ status: 0, stderr: '' });
    expect(await names()).toEqual([]);
  });

  PYTHON.describe('on a terminal', () => {
    beforeAll(async () => {
      const users = [user('Olga'), user('Eve')];
      const imported = await sandbox.importInto(settings, { users, organizations: [acme] });
      expect(imported).toMatchObject({ status: 0 });
    });

    it.each([
      ['another word', 'yesterday\\n'],
      ['Ctrl-C', '\\x03'],
      ['the end of the input', '\\x04'],
    ])('does nothing after %s', async (_, answer) => {
      await addAda();
      const { status, stdout } = await inTerminal(answer, remove);
      expect([status, stdout]).toEqual([3, expect.stringContaining(QUESTION)]);
      expect(stdout).toMatch(/Nothing was changed\.\n$/);
      expect(await names()).toEqual([{ name: 'Ada' }]);
    });

    it('goes on after yes', async () => {
      await addAda();
      expect(await inTerminal('Y\\n', remove)).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/Deleted ada@acme\.test and 0 personal recordings/),
      });
      expect(await names()).toEqual([]);
    });

    it('asks nothing with --yes', async () => {
      await addAda();
      const { status, stdout } = await inTerminal('', [...remove, '--yes']);
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
      const { status, stdout } = await inTerminal('n\\n', [...command.split(' '), ...more]);
      expect([status, stdout]).toEqual([3, expect.stringContaining(`${question}? [y/N] `)]);
      expect(stdout).toMatch(/Nothing was changed\.\n$/);
      expect(await state()).toEqual(before);
    });
  });

  async function inTerminal(answer: string, args: readonly string[]): Promise<Ended> {
    const command = [process.execPath, resolve('scripts/cli.js'), ...args];
    return (await sandbox.run(['-c', IN_TERMINAL, answer, ...command], settings, 'python3')).ended;
  }
});
