import { execFile } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EmbeddedPostgres } from '../../src/lib/embedded-postgres/embedded-postgres.js';
import { commandLine } from '../support/command-line.js';
import { kill, postmasterPid, query, Sandbox, until } from '../support/process.js';
import { PSQL } from '../support/requirements.js';

const TRUSTED = 'host all postgres 127.0.0.1/32 trust\n';
const RULES = 'host all meetings 127.0.0.1/32 scram-sha-256\n';

/** The image of PostgreSQL runs it on a new volume; here, another server does. */
PSQL.describe('deploy/compose/postgres-role.sh', () => {
  const sandbox = new Sandbox();
  let server: EmbeddedPostgres;
  let dataDir: string;
  let url: string;
  const rules = () => join(dataDir, 'postgres', 'cluster', 'data', 'pg_hba.conf');
  const reload = () => kill(postmasterPid(dataDir)!, 'SIGHUP');
  const as = (login: string, database: string) => {
    const other = new URL(url);
    [other.username, other.password] = login.split(':') as [string, string];
    other.pathname = database;
    return other.href;
  };
  const answers = (other: string) =>
    query(other, 'SELECT 1').then(
      () => true,
      () => false,
    );

  beforeAll(async () => {
    dataDir = await sandbox.folder();
    server = await EmbeddedPostgres.open({ dataDir, settings: { fsync: 'off' } });
    url = server.url;
    await appendFile(rules(), TRUSTED + RULES);
    reload();
    await until('the rules', () => answers(as('postgres:', 'postgres')));
    const secret = join(await sandbox.folder(), 'postgres_password');
    await writeFile(secret, 'hunter2');
    const script = await readFile('deploy/compose/postgres-role.sh', 'utf8');
    const { hostname, port } = new URL(url);
    const env = { ...process.env, PGHOST: hostname, PGPORT: port };
    await promisify(execFile)('sh', ['-ec', script.replace('/run/secrets/postgres_password', secret)], {
      env,
    });
  }, 60_000);
  afterAll(async () => {
    await server?.release();
    await sandbox.cleanUp();
  });

  it('gives the service a role that is no superuser, with which it migrates and reports', async () => {
    const own = as('meetings:hunter2', 'meetings');
    const roles = 'SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user';
    expect(await query(own, roles)).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false }]);
    const settings = { DATABASE_URL: own, DATA_DIR: dataDir };
    const created = ['users', 'create', '--email', 'ada@acme.test', '--name', 'Ada'];
    expect((await commandLine(settings, ...created)).status).toBe(0);
    expect((await commandLine(settings, 'users', 'list')).stdout).toContain('ada@acme.test');
  });

  it('leaves no password with which the superuser could log in', async () => {
    await writeFile(rules(), 'host all all 127.0.0.1/32 scram-sha-256\n');
    reload();
    await until('the rules', async () => !(await answers(as('postgres:', 'postgres'))));
    expect(await answers(as('postgres:hunter2', 'postgres'))).toBe(false);
    expect(await answers(as('meetings:hunter2', 'meetings'))).toBe(true);
  });
});
