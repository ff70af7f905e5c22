import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { EXAMPLES, examplesOf } from '../../src/entrypoints/cli/command-texts.js';
import { OPERATION_COMMANDS } from '../../src/entrypoints/cli/server/operation-commands.js';
import { program } from '../../src/entrypoints/cli/program.js';
import { commandLine as run } from '../support/command-line.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ScriptedServer } from '../support/scripted-server.js';
import { OPERATIONS } from '../support/try-it-out.js';
import { query, Sandbox, type Ended, type Environment } from '../support/process.js';

const COUNTS = `SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM api_keys) AS keys,
  (SELECT count(*)::int FROM recordings) AS recordings`;

/** Without the line that says which database is used. */
const commandLine = (settings: Environment, ...args: string[]): Promise<Ended> =>
  run(settings, '--quiet', ...args);

const createUser = ['users', 'create', '--name', 'Ada', '--email'];

it.each(Object.entries(OPERATION_COMMANDS))(
  'takes what the API docs name for %s: %s',
  (operationId, line) => {
    expect(OPERATIONS.map((operation) => operation.operationId)).toContain(operationId);
    const words = [...line.matchAll(/"([^"]+)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    let command: Command = program();
    for (let next: Command | undefined = command; next; words.shift()) {
      command = next;
      next = command.commands.find((one) => one.name() === words[0]);
      if (!next) break;
    }
    const { operands, unknown } = command.parseOptions(words);
    expect(unknown).toEqual([]);
    const required = command.registeredArguments.filter((argument) => argument.required);
    expect(operands).toHaveLength(required.length);
    const mandatory = command.options.filter((option) => option.mandatory);
    expect(
      mandatory.filter((option) => command.getOptionValue(option.attributeName()) === undefined),
    ).toEqual([]);
  },
);

describe('the command line reports', () => {
  const sandbox = new Sandbox();
  let database: TestDatabase;
  let settings: Environment;
  const workingDirectory = process.cwd();
  let folder: string;

  beforeAll(async () => {
    [database, folder] = [await createDatabase(), await sandbox.folder()];
    process.chdir(folder);
    settings = { DATABASE_URL: database.url, DATA_DIR: await sandbox.folder() };
    await query(
      database.url,
      `INSERT INTO users (id, email, email_verified, name, plan)
       VALUES ('019c1d5d-9c00-7a01-8a00-5eed0000a001', 'ada@acme.test', true, 'Ada', 'PRO')`,
    );
  });
  afterAll(async () => {
    process.chdir(workingDirectory);
    expect(await query(database.url, COUNTS)).toEqual([{ users: 1, keys: 0, recordings: 0 }]);
    await sandbox.cleanUp();
    await database.drop();
  });

  it('what it did, as text or as JSON', async () => {
    const created: unknown = JSON.parse(await says(...createUser, 'eve@acme.test', '--json'));
    expect(created).toEqual({
      id: expect.any(String),
      email: 'eve@acme.test',
      email_verified: true,
      name: 'Ada',
      plan: 'PRO',
      is_operator: false,
      external_id: null,
      metadata: {},
      created_at: expect.any(String),
    });
    expect(await commandLine(settings, 'users', 'delete', '--email', 'eve@acme.test')).toMatchObject({
      status: 0,
      stdout: 'Deleted eve@acme.test and 0 personal recordings; API keys were kept.\n',
      stderr: '',
    });
  });

  it('which data it uses, if only the host has the command', async () => {
    const { stderr } = await run(settings, 'users', 'list', '--json');
    expect(stderr).toMatch(/^Using the database 127\.0\.0\.1:\d+\/\w+\n$/);
    const missing = join(folder, 'missing');
    const { stderr: refused } = await run({ DATA_DIR: missing }, 'status');
    expect(refused).toMatch(
      new RegExp(`^Using the data folder ${missing}\nerror: No database in ${missing}: `),
    );
  });

  it('that a server is chosen, whatever the command, and touches nothing of the host', async () => {
    const page = await ScriptedServer.start();
    page.answers = [(response) => response.writeHead(404).end('<html>')];
    const missing = join(folder, 'missing');
    const chosen = { DATA_DIR: missing, MRS_URL: page.base, MRS_API_KEY: 'mrs_x' };
    const hint = `only for the data of this host; add --host to use that instead of ${page.base}`;
    for (const path of Object.keys(EXAMPLES)) {
      if (['dev', 'login', 'logout', 'completion', 'mcp', 'config check', 'backup verify'].includes(path))
        continue;
      const { status, stdout, stderr } = await run(chosen, ...wordsOf(path));
      expect([path, stdout, existsSync(missing)]).toEqual([path, '', false]);
      const refusal = `^error: (${path}|--\\w+): ${hint}\n$|: no such file\n$`;
      expect([path, status, stderr]).toEqual([
        path,
        status === 2 ? 2 : 5,
        expect.stringMatching(status === 2 ? refusal : ' does not answer as the service does'),
      ]);
    }
    await page.stop();
  });

  it('which data are used, where login is incomplete', async () => {
    const { status, stderr } = await run({ ...settings, MRS_URL: 'http://127.0.0.1:9' }, 'users', 'list');
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^error: Set MRS_API_KEY [^\n]+\nOr add --host, to use the data of this host\n$/),
    ]);
    const onHost = await run({ ...settings, MRS_URL: 'http://127.0.0.1:9' }, 'users', 'list', '--host');
    expect([onHost.status, onHost.stderr]).toEqual([0, expect.stringMatching(/^Using the database /)]);
  });

  it('its version', async () => {
    const { version } = JSON.parse(await readFile(join(workingDirectory, 'package.json'), 'utf8'));
    for (const args of [['--version'], ['users', 'list', '--version']])
      expect(await run({}, ...args)).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('which database is in use, without connecting to it', async () => {
    const url = 'postgres://ada:secret@nowhere.invalid:5433/meetings';
    const print = (...options: string[]) => commandLine({ DATABASE_URL: url }, 'database', 'url', ...options);
    expect(await print()).toMatchObject({ status: 0, stdout: `${url}\n`, stderr: '' });
    expect(await print('--json')).toMatchObject({
      status: 0,
      stdout: `${JSON.stringify({ url })}\n`,
      stderr: '',
    });
  });

  it('how much was encrypted again with the current key, without printing it', async () => {
    const [old, next] = ['o'.repeat(40), 'n'.repeat(40)];
    const reseal = (changed: Environment, ...options: string[]) =>
      commandLine({ ...settings, ...changed }, 'keys', 'reseal', ...options);
    const lost = await reseal({ SEALING_KEY: next });
    expect(lost).toMatchObject({ status: 1, stdout: '' });
    expect(lost.stderr).toMatch(
      /^error: SEALING_KEY: this database .* the setting holds another key\. Without it, these cannot be decrypted: nothing\. [^\n]+\n$/,
    );
    expect(await reseal({ SEALING_KEY: old }, '--delete-lost')).toMatchObject({
      status: 0,
      stdout: 'Deleted: nothing.\nEncrypted again with the current key: nothing.\n',
    });
    const replaced = await reseal({ SEALING_KEY: next, SEALING_KEY_PREVIOUS: old });
    expect(replaced).toMatchObject({ status: 0, stderr: '' });
    expect(replaced.stdout).toMatch(/\nSEALING_KEY_PREVIOUS can be removed from the settings\.\n$/);
    expect(lost.stderr + replaced.stdout).not.toMatch(/oooo|nnnn/);
    // Back to the file.
    const back = await reseal({}, '--delete-lost', '--json');
    expect(JSON.parse(back.stdout)).toEqual({ resealed: {}, deleted: {} });
  });

  it('what is wrong with the database URL, without its password', async () => {
    const address = (part: 'password' | 'pathname', value: string): Promise<string> => {
      const url = new URL(database.url);
      url[part] = value;
      return createEve({ DATABASE_URL: url.href });
    };
    const wrong = await address('password', 'wrong-secret');
    expect(wrong).toMatch(/^error: DATABASE_URL: .*127\.0\.0\.1:\d+.*password authentication failed/);
    expect(wrong).not.toContain('wrong-secret');
    const nowhere = await address('pathname', '/nowhere');
    expect(nowhere).toMatch(/^error: DATABASE_URL: .*127\.0\.0\.1:\d+.*database "nowhere" does not exist$/);
    expect(nowhere).not.toContain(new URL(database.url).password);
    expect(await createEve({ DEMO: 'true' })).toMatch(/^error: Invalid setting: DEMO=true .*DATABASE_URL/);
  });

  it('where a workspace file is invalid, and imports nothing', async () => {
    const broken = join(folder, 'broken.json');
    await writeFile(broken, '{ "users": [');
    const halfGood = join(folder, 'half-good.json');
    const recordings = [{ owner: 'eve@acme.test', title: 'Mine', status: 'COMPLETED', folder: 'Board' }];
    const users = [{ email: 'eve@acme.test', name: 'Eve' }];
    await writeFile(halfGood, JSON.stringify({ users, recordings }));
    expect(await says('import', broken)).toMatch(/broken\.json: not valid JSON/);
    const refused = await commandLine(settings, 'import', halfGood);
    expectOneLine(refused, /^error: recordings\[0\]\.folder: requires organization$/, 2);
  });

  it('that a folder or server has no database, and creates none', async () => {
    const mistyped = join(folder, 'mistyped');
    const empty = await createDatabase({ migrated: false });
    const tables = `SELECT count(*)::int AS tables FROM information_schema.tables WHERE table_schema = 'public'`;
    for (const command of [
      ['users', 'list'],
      ['keys', 'create', '--email', 'ada@acme.test', '--name', 'laptop'],
      ['keys', 'reseal'],
      ['recordings', 'retry', '019c1d5d-9c00-7a01-8a00-5eed0000a001'],
      ['audit', 'verify'],
      ['import', join(folder, 'missing.json')],
      ['database', 'url'],
    ]) {
      const refused = await commandLine({ DATA_DIR: mistyped }, ...command);
      if (command[0] === 'import') expectOneLine(refused, /missing\.json: no such file$/, 2);
      else {
        const message = `error: No database in ${mistyped}: set DATA_DIR to the data folder of a service that has been started`;
        expect([refused.status, refused.stderr, refused.stdout]).toEqual([1, `${message}\n`, '']);
      }
    }
    const refused = await commandLine({ ...settings, DATABASE_URL: empty.url }, 'users', 'list');
    expectOneLine(
      refused,
      /^error: No tables of the service in 127\.0\.0\.1:\d+\/\w+: set DATABASE_URL to /,
      1,
    );
    expect([existsSync(mistyped), await query(empty.url, tables)]).toEqual([false, [{ tables: 0 }]]);
    await empty.drop();
  });

  it('a folder that cannot be used', async () => {
    const dataDir = await sandbox.folder();
    await writeFile(join(dataDir, 'objects'), 'no folder');
    const retry = ['recordings', 'retry', '019c1d5d-9c00-7a01-8a00-5eed0000a001'];
    const refused = await commandLine({ ...settings, DATA_DIR: dataDir }, ...retry);
    expectOneLine(refused, /DATA_DIR/, 1);
  });

  it('usage errors before doing anything', async () => {
    const unknown = await commandLine(settings, 'nonsense');
    expect(unknown).toMatchObject({ status: 2, stdout: '' });
    expect(unknown.stderr).toMatch(/^error: unknown command 'nonsense'/);
    expect(await says('users', 'create', '--name', 'Ada')).toMatch(/required option '--email <email>' not/);
    expect(await says(...createUser, 'a@b.test', '--plan', 'GOLD')).toMatch(/FREE, PRO/);
    expect(await says('import')).toMatch(/missing required argument 'file'/);
  });

  it('the options of every command with --help', async () => {
    expect(await says('--help')).toMatch(/users[^]*keys[^]*import[^]*npx mrs users create/);
    expect(await says('users', 'create', '--help')).toMatch(
      /--json[^]*--email[^(]*\(required\)[^]*--name[^(]*\(required\)[^]*--plan[^]*DEFAULT_PLAN/,
    );
  });

  it('each command of a group in a sentence, and all about it with its own --help', async () => {
    const more = /All or nothing\./;
    expect([await says('--help'), await says('import', '--help')]).toEqual([
      expect.not.stringMatching(more),
      expect.stringMatching(more),
    ]);
  });

  it('an example of every command, which is one of it', async () => {
    const paths = leavesOf(program()).map(([path]) => path);
    expect(Object.keys(EXAMPLES).toSorted()).toEqual(paths.toSorted());
    for (const path of paths) {
      const cli = program();
      const called: string[] = [];
      for (const [name, command] of leavesOf(cli)) command.action(() => void called.push(name));
      await cli.parseAsync(wordsOf(path), { from: 'user' });
      expect(called).toEqual([path]);
    }
  });

  it('the first examples of a group with its --help', async () => {
    expect(await says('orgs', '--help')).toMatch(
      /\nExamples:\n {2}\$ npx mrs orgs list\n {2}\$ npx mrs orgs create .*\n {2}\$ npx mrs orgs update .*$/,
    );
  });

  /** Everything it prints. */
  async function says(...args: string[]): Promise<string> {
    const { stdout, stderr } = await commandLine(settings, ...args);
    return (stdout + stderr).trimEnd();
  }

  async function createEve(changed: Environment): Promise<string> {
    return (await commandLine({ ...settings, ...changed }, ...createUser, 'eve@acme.test')).stderr.trimEnd();
  }
});

/** The words of a command's example. */
function wordsOf(path: string): readonly string[] {
  const [, typed = ''] = /npx mrs ([^)]+)/.exec(examplesOf(path)[0]!) ?? [];
  return typed.match(/"[^"]*"|\S+/g) ?? [];
}

/** Every command that does something, by its name. */
function leavesOf(command: Command, path: readonly string[] = []): (readonly [string, Command])[] {
  const below = command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
  // A group that takes arguments does something itself.
  const isOne = below.length === 0 || command.registeredArguments.length > 0;
  return isOne ? [[path.join(' '), command], ...below] : below;
}

function expectOneLine({ status, stdout, stderr }: Ended, line: RegExp, expected: number): void {
  expect(stderr.trimEnd()).toMatch(line);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect([status, stdout]).toEqual([expected, '']);
}
