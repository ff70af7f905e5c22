import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { folder, member, organization, recording, user } from '../factories/workspace.js';
import {
  postgresProcesses,
  postmasterPid,
  query,
  Sandbox,
  until,
  type Ended,
  type RunningService,
} from '../support/process.js';

const TYPEORM = resolve('node_modules/typeorm/cli.js');
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const board = folder('Board');
const acme = organization('Acme', {
  members: [member('Ada', 'OWNER'), member('Grace', 'EDITOR')],
  folders: [board],
});
const hers = recording('Grace', { title: 'Her own' });
const ours = recording('Grace', { title: 'Of us all', organization: 'Acme', folder: 'Board' });
const WORKSPACE = { users: [user('Grace')], organizations: [acme], recordings: [hers, ours] };

const countOf = (created: number): object => ({ created, unchanged: 0, different: 0 });

describe('the command line', () => {
  const sandbox = new Sandbox();
  let settings: { DATA_DIR: string; DEMO: string };
  let service: RunningService;
  let adaKey: string;

  const cli = (...args: string[]): Promise<Ended> => sandbox.cli(settings, '--quiet', ...args);

  beforeAll(async () => {
    settings = { DATA_DIR: await sandbox.folder(), DEMO: 'false' };
  });
  afterAll(() => sandbox.cleanUp());

  it('is npx mrs in the folder of the service, without a registry', async () => {
    const { PATH } = process.env;
    // Nobody has installed anything for it, and nothing can be fetched.
    const env = { PATH, HOME: await sandbox.folder(), npm_config_offline: 'true' };
    const refused = promisify(execFile)('npx', ['mrs', 'users', 'get'], { cwd: resolve('.'), env });
    await expect(refused).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("'get'") });
  });

  it('finishes its work even if its output is not read, and leaves no PostgreSQL behind', async () => {
    const command = '"$NODE" "$CLI" users create --email pipe@acme.test --name Pipe | true';
    const shell = spawn('sh', ['-c', command], {
      cwd: await sandbox.folder(),
      env: { PATH: process.env['PATH'], NODE: process.execPath, CLI: resolve('scripts/cli.js'), ...settings },
      stdio: 'ignore',
    });
    await once(shell, 'close');
    await until('PostgreSQL to stop', () => postgresProcesses(settings.DATA_DIR).length === 0);
    const again = await cli('users', 'create', '--email', 'pipe@acme.test', '--name', 'Pipe');
    expect(again.stderr).not.toContain('Creating');
    expect(again.stderr).toContain('A user pipe@acme.test already exists.');
  });

  it('reports a folder that cannot be used, and leaves no PostgreSQL behind', async () => {
    const dataDir = await sandbox.folder();
    await writeFile(join(dataDir, 'objects'), 'no folder');
    const create = ['users', 'create', '--email', 'eve@acme.test', '--name', 'Eve'];
    const created = await sandbox.cli({ DATA_DIR: dataDir }, '--quiet', ...create);
    expect([created.status, created.stderr]).toEqual([0, `Creating a new database in ${dataDir}\n`]);
    const id = created.stdout.trim();
    const { status, stdout, stderr } = await sandbox.cli(
      { DATA_DIR: dataDir },
      '--quiet',
      'recordings',
      'retry',
      id,
    );
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^.*DATA_DIR.*\n$/);
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('works while the service is not running, and leaves no PostgreSQL behind', async () => {
    const ada = ['--email', 'ada@acme.test', '--name', 'Ada', '--plan', 'PRO'];
    const created = await cli('users', 'create', ...ada);
    expect(result(created)).toMatch(UUID);
    expect(postgresProcesses(settings.DATA_DIR)).toEqual([]);

    const imported = await sandbox.importInto(settings, WORKSPACE);
    expect(JSON.parse(result(imported))).toEqual({
      users: countOf(1),
      apiKeys: countOf(1),
      organizations: countOf(1),
      folders: countOf(1),
      members: countOf(2),
      recordings: countOf(2),
      differences: [],
    });
    expect(postgresProcesses(settings.DATA_DIR)).toEqual([]);
  });

  it('logs to standard error, so that standard output has only the result', async () => {
    const logged = ['--email', 'logged@acme.test', '--name', 'Logged'];
    const created = await sandbox.cli(
      { ...settings, LOG_LEVEL: 'trace' },
      '--quiet',
      'users',
      'create',
      ...logged,
    );
    expect([created.status, created.stdout.trimEnd()]).toEqual([0, expect.stringMatching(UUID)]);
    const lines = created.stderr.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      expect.arrayContaining([expect.objectContaining({ level: 10, sql: expect.stringContaining('users') })]),
    );
    expect(created.stderr).not.toContain('logged@acme.test');
  });

  it('does not print a URL, or start anything, if the embedded PostgreSQL is not running', async () => {
    const refused = await sandbox.cli(settings, '--quiet', 'database', 'url');
    const message = `error: The embedded PostgreSQL in ${settings.DATA_DIR} is not running. Start the service first: npm start\n`;
    expect(refused).toMatchObject({ status: 1, stdout: '', stderr: message });
    expect(postgresProcesses(settings.DATA_DIR)).toEqual([]);
  });

  it('works beside the running service, with immediate effect', async () => {
    service = await sandbox.start(settings);
    expect(service.program.stdout).toContain('keys create --email');
    expect(service.program.stdout).not.toContain('Share page');
    const create = ['keys', 'create', '--email', 'ada@acme.test', '--name'];
    const [plain, json] = await Promise.all([
      cli(...create, 'laptop'),
      cli(...create, 'until 2999', '--expires-at', '2999-01-01T00:00:00Z', '--json'),
    ]);
    adaKey = result(plain);
    expect(adaKey).toMatch(/^mrs_[0-9A-Za-z]{43}$/);
    const me = await service.api.as(adaKey).get('/me');
    expect(me.body.data).toMatchObject({ email: 'ada@acme.test', name: 'Ada', plan: 'PRO' });
    expect(me.body.data.api_key).toMatchObject({ name: 'laptop', prefix: adaKey.slice(0, 12) });

    const issued = JSON.parse(result(json)) as { key: string };
    expect(issued).toEqual({
      id: expect.stringMatching(UUID),
      name: 'until 2999',
      prefix: issued.key.slice(0, 12),
      key: expect.stringMatching(/^mrs_[0-9A-Za-z]{43}$/),
      created_at: expect.any(String),
      expires_at: '2999-01-01T00:00:00.000Z',
      scopes: null,
      organizations: null,
      folders: null,
      addresses: null,
    });
    expect((await service.api.as(issued.key).get('/me')).status).toBe(200);

    expect(result(await cli('keys', 'list', '--email', 'ada@acme.test'))).not.toContain(issued.key);
    expect(result(await cli('keys', 'revoke', issued.key.slice(0, 12)))).toBe(
      `Revoked ${issued.key.slice(0, 12)} (until 2999).`,
    );
    expect((await service.api.as(issued.key).get('/me')).body.error.code).toBe('INVALID_API_KEY');
    expect((await service.api.as(adaKey).get('/me')).status).toBe(200);
  });

  it('prints the URL of the embedded PostgreSQL, for psql and TypeORM', async () => {
    const server = postmasterPid(settings.DATA_DIR);
    const url = result(await cli('database', 'url'));
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(JSON.parse(result(await cli('database', 'url', '--json')))).toEqual({ url });
    expect(postmasterPid(settings.DATA_DIR)).toBe(server);

    const schemaLog = [TYPEORM, 'schema:log', '-d', resolve('dist/ormconfig.js')];
    const { status, stdout } = await (await sandbox.run(schemaLog, { DATABASE_URL: url })).ended;
    expect([status, stdout]).toEqual([0, expect.stringContaining('Your schema is up to date')]);
  });
});

/** The standard output of a successful command, which must have printed nothing else. */
function result({ status, stdout, stderr }: Ended): string {
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/\n$/);
  return stdout.trimEnd();
}
