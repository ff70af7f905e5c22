import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { transformFile } from '@swc/core';
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../../src/lib/embedded-postgres/embedded-postgres.js';
import { EmbeddedPostgresError } from '../../src/lib/embedded-postgres/embedded-postgres.error.js';
import { ROOT } from '../support/requirements.js';

const SETTINGS = { fsync: 'off' };
const SOURCES = resolve('src/lib/embedded-postgres');
const isRoot = process.getuid?.() === 0;

/** Another process of the service: opens, prints the URL, and releases on request. */
const OPENER = `
  import { EmbeddedPostgres } from './embedded-postgres.js';
  const db = await EmbeddedPostgres.open({ dataDir: process.argv[2], settings: { fsync: 'off' } });
  process.on('message', async () => { await db.release(); process.disconnect(); });
  process.send(db.url);
`;

let compiled: string;
let folders: string[] = [];
let held: EmbeddedPostgres[] = [];
let children: ChildProcess[] = [];

beforeAll(async () => {
  await mkdir('node_modules/.cache', { recursive: true });
  compiled = await mkdtemp(resolve('node_modules/.cache/embedded-postgres-'));
  await writeFile(join(compiled, 'package.json'), '{ "type": "module" }');
  await writeFile(join(compiled, 'opener.js'), OPENER);
  for (const name of await readdir(SOURCES)) {
    const { code } = await transformFile(join(SOURCES, name), {
      jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
      module: { type: 'es6' },
    });
    await writeFile(join(compiled, name.replace(/\.ts$/, '.js')), code);
  }
});

afterAll(() => rm(compiled, { recursive: true, force: true }));

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(held.map((db) => db.release()));
  for (const folder of folders) {
    const pid = postmasterPid(folder);
    if (pid) await kill(pid, 'SIGQUIT');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  [folders, held, children] = [[], [], []];
});

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mrs-embedded-'));
  folders.push(folder);
  return folder;
}

async function open(dataDir: string): Promise<EmbeddedPostgres> {
  const db = await EmbeddedPostgres.open({ dataDir, settings: SETTINGS });
  held.push(db);
  return db;
}

function startOpener(dataDir: string): ChildProcess {
  const child = fork(join(compiled, 'opener.js'), [dataDir], { execArgv: [] });
  children.push(child);
  return child;
}

async function openElsewhere(dataDir: string): Promise<{ url: string; release: () => Promise<unknown> }> {
  const child = startOpener(dataDir);
  const [url] = (await once(child, 'message')) as [string];
  const release = async (): Promise<unknown> => {
    child.send('release');
    return once(child, 'exit');
  };
  return { url, release };
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

function pidFile(dataDir: string): string {
  return join(dataDir, 'postgres', 'cluster', 'data', 'postmaster.pid');
}

/** Undefined if the server is stopped. */
function postmasterPid(dataDir: string): number | undefined {
  return existsSync(pidFile(dataDir)) ? parseInt(readFileSync(pidFile(dataDir), 'utf8'), 10) : undefined;
}

async function kill(pid: number, signal: NodeJS.Signals): Promise<void> {
  try {
    process.kill(pid, signal);
    for (;;) {
      await new Promise((next) => setTimeout(next, 10));
      process.kill(pid, 0);
    }
  } catch {
    // Already gone.
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((next) => setTimeout(next, 5));
}

async function createNotes(url: string): Promise<void> {
  await query(url, `CREATE TABLE notes (body text); INSERT INTO notes VALUES ('kept')`);
}

const NOTES = 'SELECT body FROM notes';
const KEPT = [{ body: 'kept' }];

describe('the embedded PostgreSQL', () => {
  it('keeps data over a restart, in private folders, and folds Unicode case', async () => {
    const dataDir = await emptyFolder();
    const first = await open(dataDir);
    await createNotes(first.url);
    expect(await query(first.url, `SELECT 'ÄRGER' ILIKE 'ärger' AS folds`)).toEqual([{ folds: true }]);
    expect(await query(first.url, `SELECT rolsuper FROM pg_roles WHERE rolname = current_user`)).toEqual([
      { rolsuper: false },
    ]);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'postgres', 'cluster', 'password'))).mode & 0o777).toBe(0o600);
    await first.release();
    expect(postmasterPid(dataDir)).toBeUndefined();

    const second = await open(dataDir);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, NOTES)).toEqual(KEPT);
  });

  it('is a single server for two processes that open an empty folder at once; the last to release it stops it', async () => {
    const dataDir = await emptyFolder();
    const [one, two] = await Promise.all([openElsewhere(dataDir), openElsewhere(dataDir)]);
    expect(one.url).toBe(two.url);
    expect((await readdir(join(dataDir, 'postgres'))).sort()).toEqual(['cluster', 'postgres.log']);

    await one.release();
    expect(await query(two.url, 'SELECT 1 AS up')).toEqual([{ up: 1 }]);
    await two.release();
    expect(postmasterPid(dataDir)).toBeUndefined();
  });

  it('is not stopped while a connection without a lease is open', async () => {
    const dataDir = await emptyFolder();
    const db = await open(dataDir);
    const client = new Client({ connectionString: db.url });
    await client.connect();
    await db.release();
    expect((await client.query('SELECT 1 AS up')).rows).toEqual([{ up: 1 }]);
    await client.end();
  });

  it('serves processes that open it while it is being stopped', async () => {
    const dataDir = await emptyFolder();
    let db = await open(dataDir);
    for (let round = 0; round < 4; round += 1) {
      const leaving = db.release();
      await new Promise((next) => setTimeout(next, round * 15));
      db = await open(dataDir);
      await leaving;
      expect(db.isAlive()).toBe(true);
      expect(await query(db.url, 'SELECT 1 AS up')).toEqual([{ up: 1 }]);
    }
  });

  it('comes back on the same port with all committed rows after kill -9 of the server', async () => {
    const dataDir = await emptyFolder();
    const db = await open(dataDir);
    await createNotes(db.url);
    await kill(postmasterPid(dataDir)!, 'SIGKILL');
    expect(db.isAlive()).toBe(false);

    await Promise.all([db.ensureRunning(), db.ensureRunning()]);
    expect(db.isAlive()).toBe(true);
    expect(await query(db.url, NOTES)).toEqual(KEPT);
  });

  it('survives kill -9 of the process that started it', async () => {
    const dataDir = await emptyFolder();
    const { url } = await openElsewhere(dataDir);
    await createNotes(url);
    const pid = postmasterPid(dataDir)!;
    children[0]!.kill('SIGKILL');
    await once(children[0]!, 'exit');

    const db = await open(dataDir);
    expect(postmasterPid(dataDir)).toBe(pid);
    expect(await query(db.url, NOTES)).toEqual(KEPT);
  });

  it('opens after kill -9 in the middle of initdb and removes the leftovers an hour later', async () => {
    const dataDir = await emptyFolder();
    const home = join(dataDir, 'postgres');
    const opener = startOpener(dataDir);
    let attempt: string | undefined;
    await until(async () => {
      attempt = (await readdir(home).catch(() => [])).find((name) => name.includes('attempt'));
      return attempt !== undefined && existsSync(join(home, attempt, 'data', 'global'));
    });
    opener.kill('SIGKILL');
    await once(opener, 'exit');

    const db = await open(dataDir);
    expect(await query(db.url, 'SELECT 1 AS up')).toEqual([{ up: 1 }]);
    await db.release();
    await utimes(join(home, attempt!), 0, 0);
    await open(dataDir);
    expect((await readdir(home)).sort()).toEqual(['cluster', 'postgres.log']);
  });

  it('starts even if a stale postmaster.pid names another program of the same user', async () => {
    const dataDir = await emptyFolder();
    await (await open(dataDir)).release();
    const { uid, gid } = await stat(join(dataDir, 'postgres', 'cluster', 'data'));
    const bystander = spawn('sleep', ['60'], isRoot ? { uid, gid } : {});
    children.push(bystander);
    await writeFile(pidFile(dataDir), `${bystander.pid}\n/proc/self/cwd\n1\n1\n\n\n 0 0\nready   \n`);
    if (isRoot) await chown(pidFile(dataDir), uid, gid);

    expect((await open(dataDir)).isAlive()).toBe(true);
    expect(bystander.exitCode).toBeNull();
  });

  it('uses another port when its own is taken', async () => {
    const dataDir = await emptyFolder();
    const other = await open(await emptyFolder());
    await (await open(dataDir)).release();
    const taken = new URL(other.url).port;
    await writeFile(
      join(dataDir, 'postgres', 'cluster', 'data', 'postmaster.opts'),
      `postgres "port=${taken}"\n`,
    );

    const db = await open(dataDir);
    expect(new URL(db.url).port).not.toBe(taken);
  });

  it('is reachable even if PG* variables describe another server', async () => {
    const other = {
      PGSSLMODE: 'require',
      PGCLIENTENCODING: 'LATIN1',
      PGHOST: '/nowhere',
      PGPORT: '1',
      PGUSER: 'x',
    };
    const environment = { ...process.env };
    Object.assign(process.env, other);
    try {
      const { url } = await open(await emptyFolder());
      expect(await query(url, `SELECT '€' AS sign, current_user AS me`)).toEqual([{ sign: '€', me: 'mrs' }]);
    } finally {
      process.env = environment;
    }
  });

  ROOT.it('works below a folder that only root may enter', async () => {
    const parent = await emptyFolder();
    await chmod(parent, 0o700);
    const dataDir = join(parent, 'below', 'data');
    folders.unshift(dataDir);
    expect(await query((await open(dataDir)).url, 'SELECT 1 AS up')).toEqual([{ up: 1 }]);
  });

  it('reports a cluster of another major version, a file, and a server that cannot start, each with a clear message', async () => {
    const old = await emptyFolder();
    const data = join(old, 'postgres', 'cluster', 'data');
    await mkdir(data, { recursive: true });
    await writeFile(join(data, 'PG_VERSION'), '17\n');
    if (isRoot) await chown(data, 65534, 65534);
    await expect(open(old)).rejects.toThrow(
      /was created by PostgreSQL 17, but this service includes PostgreSQL 18/,
    );

    const file = join(await emptyFolder(), 'file');
    await writeFile(file, '');
    await expect(open(file)).rejects.toThrow(EmbeddedPostgresError);
    await expect(open(file)).rejects.toThrow(/it is not a folder/);

    const good = await emptyFolder();
    await (await open(good)).release();
    const wrong = EmbeddedPostgres.open({ dataDir: good, settings: { shared_buffers: 'plenty' } });
    await expect(wrong).rejects.toThrow(/does not start\.\n.*invalid value for parameter "shared_buffers"/);
  });
});
