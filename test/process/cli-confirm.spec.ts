import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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

describe('a command that deletes something', () => {
  const sandbox = new Sandbox();
  let database: TestDatabase;
  let settings: Environment;

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
      `INSERT INTO users (id, email, name, plan)
       VALUES ('019c1d5d-9c00-7a01-8a00-5eed0000a001', 'ada@acme.test', 'Ada', 'PRO') ON CONFLICT DO NOTHING`,
    );
  const names = (): Promise<object[]> => query(database.url, 'SELECT name FROM users');

  it('asks nothing where there is no terminal', async () => {
    await addAda();
    expect(await sandbox.cli(settings, ...remove)).toMatchObject({ status: 0, stderr: '' });
    expect(await names()).toEqual([]);
  });

  PYTHON.it('asks on a terminal, and goes on only after yes', async () => {
    await addAda();
    for (const answer of ['yesterday\\n', '\\x03', '\\x04']) {
      const { status, stdout } = await inTerminal(answer, ...remove);
      expect([answer, status, stdout.includes(QUESTION)]).toEqual([answer, 3, true]);
      expect(stdout).toMatch(/Nothing was changed\.\n$/);
    }
    expect(await names()).toEqual([{ name: 'Ada' }]);
    expect(await inTerminal('Y\\n', ...remove)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/Deleted ada@acme\.test and 0 personal recordings/),
    });
    expect(await names()).toEqual([]);

    await addAda();
    const unasked = await inTerminal('', ...remove, '--yes');
    expect([unasked.status, unasked.stdout.includes('[y/N]')]).toEqual([0, false]);
    expect(await names()).toEqual([]);
  });

  async function inTerminal(answer: string, ...args: string[]): Promise<Ended> {
    const command = [process.execPath, resolve('scripts/cli.js'), ...args];
    return (await sandbox.run(['-c', IN_TERMINAL, answer, ...command], settings, 'python3')).ended;
  }
});
