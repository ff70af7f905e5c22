import { readdirSync, readFileSync, renameSync, utimesSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client as PostgresClient } from 'pg';
import { emailOf, keyOf, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { readHls, settled, turned, upload, type Detail } from '../support/packaged.js';
import { kill, processRuns, query, Sandbox, until, type RunningService } from '../support/process.js';
import { LINUX } from '../support/requirements.js';

const film = (name: string): Buffer => readFileSync(`demo/media/${name}.mp4`);
const SHORT = film('depot-walk-through');
/** Takes seconds, as all of it is re-encoded. */
const LONG = turned(film('customer-call'));
/** Takes longer than a stopping worker waits for its jobs, and long enough to be seen at work on a fast machine. */
const LONGER = turned(film('product-weekly'));
const KILLS = 3;
const GIVEN_UP = 'The recording could not be processed; trying again may help.';
const NOT_CONVERTED =
  'The recording plays only as it was uploaded, because it could not be converted; trying again may help.';
const WITHIN = { withinMs: 180_000 };

LINUX.describe('packaging despite crashes', () => {
  const sandbox = new Sandbox();
  let database: TestDatabase;
  let settings: Record<string, string>;
  let service: RunningService;
  let ada: Client;

  const start = async (): Promise<void> => {
    service = await sandbox.start(settings);
    ada = service.api.as(keyOf('Ada'));
  };
  const worker = (): number | undefined => childrenOf(service.program.child.pid!)[0];
  const working = (id: string) =>
    until('the work', async () => {
      const { progress } = (await ada.get(`/recordings/${id}`)).body.data;
      return progress > 0.5 && progress < 0.95;
    });

  /** Kills the worker, and waits until another one has replaced it. */
  async function killWorker(): Promise<void> {
    await until('a worker', () => worker() !== undefined);
    const killed = worker()!;
    kill(killed, 'SIGKILL');
    await until('another worker', () => (worker() ?? killed) !== killed);
  }

  beforeAll(async () => {
    database = await createDatabase();
    settings = { DATABASE_URL: database.url, DATA_DIR: await sandbox.folder() };
    await sandbox.importInto(settings, { users: [user('Ada')] });
    await start();
  });
  afterAll(async () => {
    await sandbox.cleanUp();
    await database.drop();
  });

  it('a worker killed at any moment is restarted, and every recording completes and is playable as soon as its status says so', async () => {
    const ids = await Promise.all([LONG, SHORT, SHORT, SHORT].map((content) => upload(ada, content)));
    const completed = Promise.all(ids.map((id) => settled(ada, id, { ...WITHIN, onLook: expectToPlay })));
    const moments: number[] = [];
    for (let count = 0; count < KILLS; count++) {
      await until('a job', () =>
        hasRows(database.url, 'SELECT FROM graphile_worker.jobs WHERE locked_at IS NOT NULL'),
      );
      moments.push(Math.random() * 1_500);
      await sleep(moments.at(-1));
      await killWorker();
    }
    const statuses = (await completed).map(({ status }) => status);
    expect([moments, statuses]).toEqual([moments, ids.map(() => 'COMPLETED')]);
    expect(service.log.filter(({ msg }) => msg === 'the worker exited; restarting it')).toHaveLength(KILLS);
  }, 400_000);

  it('a worker killed right before or right after publishing does not affect viewers', async () => {
    const before = await hold(database.url);
    const id = await upload(ada, SHORT);
    await until('the work', () =>
      hasRows(database.url, `SELECT FROM recordings WHERE id = '${id}' AND packaging_id IS NOT NULL`),
    );
    await before.run('SELECT FROM recordings WHERE id = $1 FOR UPDATE', [id]);
    await before.waitedFor('SELECT %FROM "recordings"%FOR UPDATE%');
    await killWorker();
    expect((await ada.get(`/recordings/${id}`)).body.data).toMatchObject({
      status: 'PROCESSING',
      hlsUrl: null,
    });

    const after = await hold(database.url);
    await after.run('LOCK TABLE uploads IN SHARE MODE');
    await before.release();
    await after.waitedFor('DELETE FROM uploads%');
    const migrating = (await ada.get(`/recordings/${id}`)).body.data;
    expect(migrating.status).toBe('MIGRATING');
    await killWorker();
    await after.release();

    const completed = await settled(ada, id, { ...WITHIN, onLook: expectToPlay });
    expect(completed.status).toBe('COMPLETED');
  }, 400_000);

  it('a worker killed right before it publishes new media leaves the old, and the next one publishes the new', async () => {
    const id = await upload(ada, SHORT);
    const old = await settled(ada, id, WITHIN);
    const before = await hold(database.url);
    expect((await ada.post(`/recordings/${id}/upload`)).status).toBe(201);
    expect((await ada.request('PUT', `/recordings/${id}/media`, { body: LONGER })).status).toBe(200);
    await until('its conversion', async () => {
      const { newMedia } = (await ada.get(`/recordings/${id}`)).body.data;
      return newMedia.progress > 0.5;
    });
    await before.run('SELECT FROM recordings WHERE id = $1 FOR UPDATE', [id]);
    await before.waitedFor('SELECT %FROM "recordings"%FOR UPDATE%');
    await killWorker();
    const during = (await ada.get(`/recordings/${id}`)).body.data;
    expect(during).toMatchObject({ status: 'COMPLETED', duration: old.duration });
    expect(during.newMedia).toMatchObject({ status: 'processing' });
    await expectToPlay(during);
    await before.release();

    await until(
      'the new media',
      async () => (await ada.get(`/recordings/${id}`)).body.data.newMedia === null,
      180_000,
    );
    const replaced = (await ada.get(`/recordings/${id}`)).body.data;
    expect(replaced).toMatchObject({ status: 'COMPLETED', progress: 1 });
    expect(replaced.duration).toBeGreaterThan(old.duration + 1);
    await expectToPlay(replaced);
    await expectToPlay(during);
  }, 400_000);

  it('objects of superseded attempts are removed, at the latest when a process starts a day later', async () => {
    expect(readdirSync(join(settings['DATA_DIR']!, 'scratch'))).toEqual([]);
    expect(await query(database.url, 'SELECT * FROM upload_parts')).toEqual([]);
    expect(await query(database.url, 'SELECT * FROM uploads')).toEqual([]);
    const objects = join(settings['DATA_DIR']!, 'objects');
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
    for (const key of filesBelow(objects)) utimesSync(join(objects, key), yesterday, yesterday);
    await query(database.url, `UPDATE graphile_worker._private_jobs SET run_at = now()`);
    await until(
      'the end of all jobs',
      async () => !(await hasRows(database.url, 'SELECT FROM graphile_worker.jobs')),
      120_000,
    );
    const referred = await references(database.url);
    const strangers = (): string[] =>
      filesBelow(objects).filter((key) => !referred.some((prefix) => key.startsWith(prefix)));
    // What a worker was writing when it was killed; no job knows about it.
    expect(strangers().filter((key) => !key.startsWith('.partial/'))).toEqual([]);
    await killWorker();
    await until('incomplete files to be removed', () => strangers().length === 0);
    for (const { id } of (await ada.get('/recordings')).body.data) {
      await expectToPlay((await ada.get(`/recordings/${id}`)).body.data);
    }
  }, 240_000);

  it('killing the API stops its worker and its child processes; the next start finishes the job', async () => {
    const id = await upload(ada, LONGER);
    await working(id);
    const family = descendantsOf(service.program.child.pid!);
    expect(family.length).toBeGreaterThanOrEqual(2);
    await service.program.kill('SIGKILL');
    await until('the end of the worker', () => !family.some(processRuns));
    await start();
    expect((await settled(ada, id, WITHIN)).status).toBe('COMPLETED');
  }, 400_000);

  it('stopped in the middle of packaging, the service exits within seconds; the next start finishes the job', async () => {
    const id = await upload(ada, LONGER);
    await working(id);
    const family = descendantsOf(service.program.child.pid!);
    const stopping = performance.now();
    expect(await service.stop()).toMatchObject({ status: 0, signal: null, stderr: '' });
    expect(performance.now() - stopping).toBeLessThan(5_000);
    expect(family.filter(processRuns)).toEqual([]);
    const jobs = 'SELECT attempts, last_error FROM graphile_worker._private_jobs WHERE key';
    const counted = await query(database.url, `${jobs} = 'package:${id}'`);
    await start();
    expect((await settled(ada, id, WITHIN)).status).toBe('COMPLETED');
    expect(counted).toEqual([{ attempts: 0, last_error: null }]);
    // Including those of earlier tests, whose worker may have died between completing the work and completing the job.
    await until(
      'the end of all jobs',
      async () => !(await hasRows(database.url, `${jobs} LIKE 'package:%'`)),
      90_000,
    );
  }, 400_000);

  it('a permanent failure is reported, and a retry completes once the cause is fixed', async () => {
    await service.stop();
    const uploaded = await sandbox.cli(
      settings,
      'recordings',
      'upload',
      resolve('demo/media/depot-walk-through.mp4'),
      '--email',
      emailOf('Ada'),
    );
    const id = uploaded.stdout.trim();
    const parts = join(settings['DATA_DIR']!, 'objects', 'recordings', id, 'parts');
    renameSync(parts, `${parts}-away`);
    await query(
      database.url,
      `UPDATE graphile_worker._private_jobs SET attempts = max_attempts - 1 WHERE key = 'package:${id}'`,
    );
    await start();
    expect(await settled(ada, id, WITHIN)).toMatchObject({
      status: 'ERROR',
      statusReason: GIVEN_UP,
      hlsUrl: null,
    });

    renameSync(`${parts}-away`, parts);
    const retried = await sandbox.cli(settings, 'recordings', 'retry', id, '--watch');
    expect([retried.status, retried.stdout]).toEqual([0, `${id}: COMPLETED\n`]);
    const completed = (await ada.get(`/recordings/${id}`)).body.data;
    expect(completed).toMatchObject({ status: 'COMPLETED', statusReason: null });
    await expectToPlay(completed);
  }, 400_000);

  it('a job that kills its worker on the last attempt ends as well: what plays as it was uploaded is complete', async () => {
    const id = await upload(ada, LONGER);
    await working(id);
    await query(
      database.url,
      `UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE key = 'package:${id}'`,
    );
    await killWorker();
    const ended = await settled(ada, id, WITHIN);
    expect(ended).toMatchObject({ status: 'COMPLETED', statusReason: NOT_CONVERTED, hlsUrl: null });
    expect((await fetch(ended.videoUrl, { method: 'HEAD' })).status).toBe(200);
  }, 400_000);
});

/** Every URL that is handed out can be played completely. */
async function expectToPlay({ hlsUrl, thumbnailUrl, videoUrl }: Detail): Promise<void> {
  if (hlsUrl === null) return;
  const missing = (await readHls(hlsUrl)).filter(({ status }) => status !== 200);
  expect(missing.map(({ name, status }) => [name, status])).toEqual([]);
  for (const url of [thumbnailUrl, videoUrl]) expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
}

const childrenOf = (pid: number): number[] => {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
};
const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

const hasRows = async (url: string, sql: string): Promise<boolean> => (await query(url, sql)).length > 0;

/** Key prefixes of all objects that rows refer to. */
async function references(url: string): Promise<string[]> {
  const rows = (await query(
    url,
    `SELECT unnest(ARRAY[media_key, source_key, package_key || '/']) AS key FROM recordings`,
  )) as { key: string | null }[];
  return rows.flatMap(({ key }) => key ?? []);
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

/** A transaction that blocks others. */
async function hold(url: string) {
  const client = new PostgresClient({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  return {
    run: (sql: string, values: unknown[] = []) => client.query(sql, values),
    // On another connection, as a transaction's view of the others does not change.
    waitedFor: (statement: string) =>
      until(
        statement,
        () =>
          hasRows(
            url,
            `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
               AND query LIKE '${statement}'`,
          ),
        120_000,
      ),
    release: async () => {
      await client.query('COMMIT');
      await client.end();
    },
  };
}
