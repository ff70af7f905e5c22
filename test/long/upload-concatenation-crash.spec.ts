import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client as PostgresClient } from 'pg';
import { keyOf, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { sha256 } from '../support/objects.js';
import { padded, settled } from '../support/packaged.js';
import { idOf, locationOf, PartialUploads } from '../support/partial-uploads.js';
import { query, Sandbox, until, type RunningService } from '../support/process.js';
import { at, demoVideo, MIB, RawTus } from '../support/uploads.js';

/** A video followed by 20 MB that players skip. */
const SOURCE = padded(demoVideo(), randomBytes(20 * MIB));
/** Where the second piece begins. */
const CUT = 9 * MIB;
const FIRST = SOURCE.subarray(0, CUT);
const SECOND = SOURCE.subarray(CUT);
const EXPIRY = 'uploads.expire-partial';

describe('the concatenation of an upload despite crashes of the service', () => {
  const sandbox = new Sandbox();
  let database: TestDatabase;
  let settings: { DATABASE_URL: string; DATA_DIR: string };
  let service: RunningService;
  let ada: Client;
  let partials: PartialUploads;
  let first: string;
  let second: string;
  let id: string;

  async function start(more: Record<string, string> = {}): Promise<void> {
    service = await sandbox.start({ ...settings, ...more });
    ada = service.api.as(keyOf('Ada'));
    partials = new PartialUploads(ada);
  }
  const restart = async (more?: Record<string, string>): Promise<void> => {
    await service.program.kill('SIGKILL');
    await start(more);
  };
  const tusOf = (url: string): RawTus => new RawTus(ada, idOf(url));
  const count = async (table: string): Promise<number> =>
    (await query(database.url, `SELECT FROM ${table}`)).length;
  const objects = (): string[] => filesBelow(join(settings.DATA_DIR, 'objects'));

  /** The bytes of which the database knows, part by part without gaps. */
  async function held(table: string, owner: string, ownerId: string): Promise<Buffer> {
    const parts = (await query(
      database.url,
      `SELECT key, start::int, size::int FROM ${table} p WHERE ${owner} = '${ownerId}' ORDER BY p.start`,
    )) as { key: string; start: number; size: number }[];
    const contents = parts.map(({ key }) => readFileSync(join(settings.DATA_DIR, 'objects', key)));
    let end = 0;
    for (const [index, { start: begin, size }] of parts.entries()) {
      expect([begin, contents[index]!.length]).toEqual([end, size]);
      end += size;
    }
    return Buffer.concat(contents);
  }
  const heldPartial = (url: string): Promise<Buffer> => held('partial_upload_parts', 'partial_id', idOf(url));

  beforeAll(async () => {
    database = await createDatabase();
    settings = { DATABASE_URL: database.url, DATA_DIR: await sandbox.folder() };
    await sandbox.importInto(settings, { users: [user('Ada')] });
    await start();
  }, 240_000);
  afterAll(async () => {
    await sandbox.cleanUp();
    await database.drop();
  });

  it('partial uploads keep what was acknowledged, and continue from what was stored', async () => {
    first = await partials.of(FIRST);
    second = locationOf(await partials.create(SECOND.length));
    const before = MIB;
    expect((await tusOf(second).patch(0, SECOND.subarray(0, before))).status).toBe(204);
    const rest = openPatch(service, second, before);
    rest.write(SECOND.subarray(before, before + 10 * MIB));
    // The first part of the request is stored, the next one is in progress.
    await until('a stored part', async () => (await tusOf(second).offset()) > before);
    await restart();
    rest.destroy();
    expect(sha256(await heldPartial(first))).toBe(sha256(FIRST));
    const offset = await tusOf(second).offset();
    expect(offset).toBeGreaterThan(before);
    expect(sha256(await heldPartial(second))).toBe(sha256(SECOND.subarray(0, offset)));
    expect((await partials.join([first, second])).status).toBe(409);
    expect((await tusOf(second).patch(offset, SECOND.subarray(offset))).status).toBe(204);
  }, 240_000);

  it.each([
    ['before it removes the partial uploads', 'partial_uploads', 'DELETE FROM "partial_uploads"%'],
    ['before it creates the recording', 'recordings', 'INSERT INTO "recordings"%'],
    ['before it takes over the parts', 'upload_parts', 'INSERT INTO "upload_parts"%'],
  ])(
    'a join that is killed %s changes nothing',
    async (_, table, statement) => {
      const blocker = await hold(database.url, table);
      const reply = partials.join([first, second]).catch(() => null);
      await blocker.waitedFor(statement);
      await service.program.kill('SIGKILL');
      expect(await reply).toBeNull();
      await blocker.release();
      await start();
      expect([await count('recordings'), await count('uploads'), await count('upload_parts')]).toEqual([
        0, 0, 0,
      ]);
      expect(await tusOf(first).offset()).toBe(FIRST.length);
      expect(sha256(await heldPartial(first))).toBe(sha256(FIRST));
      expect(sha256(await heldPartial(second))).toBe(sha256(SECOND));
    },
    60_000,
  );

  it('a join that is killed at any moment is done as a whole or not at all', async () => {
    const reply = partials.join([first, second]).catch(() => null);
    await new Promise((done) => setTimeout(done, Math.random() * 50));
    await restart();
    await reply;
    if ((await count('recordings')) === 0) await partials.joined([first, second]);
    expect([await count('recordings'), await count('partial_uploads')]).toEqual([1, 0]);
    id = (await ada.get('/recordings')).body.data[0].id;
  }, 240_000);

  it('a join whose reply was lost is done: the recording is the file that was sent, byte for byte', async () => {
    expect((await partials.join([first, second])).status).toBe(404);
    const { status, videoUrl } = await settled(ada, id, { withinMs: 60_000 });
    expect(status).toBe('COMPLETED');
    const video = await fetch(videoUrl);
    expect(sha256(new Uint8Array(await video.arrayBuffer()))).toBe(sha256(SOURCE));
  }, 240_000);

  it('bytes that were stored but never acknowledged are removed when their partial upload expires', async () => {
    await until('the end of the parts', () => objects().every((key) => !key.includes('/parts/')), 90_000);
    const recorded = objects();
    const url = locationOf(await partials.create(SECOND.length));
    // With a checksum nothing is acknowledged before the end.
    const request = openPatch(service, url, 0, { 'upload-checksum': `sha1 ${'A'.repeat(27)}=` });
    request.write(SECOND.subarray(0, 9 * MIB));
    const prefix = `recordings/${idOf(url)}/`;
    await until('a stored part', () => objects().some((key) => key.startsWith(prefix)));
    await restart({ UPLOAD_IDLE_TIMEOUT: '1' });
    request.destroy();
    expect(await tusOf(url).offset()).toBe(0);
    expect(objects().filter((key) => key.startsWith(prefix))).toHaveLength(1);
    const jobs = `graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id`;
    await query(
      database.url,
      `UPDATE graphile_worker._private_jobs SET run_at = now() WHERE id IN
         (SELECT j.id FROM ${jobs} WHERE t.identifier = '${EXPIRY}')`,
    );
    await until(
      'the end of all expiries',
      async () => (await count(`graphile_worker.jobs WHERE task_identifier = '${EXPIRY}'`)) === 0,
      45_000,
    );
    expect(await count('partial_uploads')).toBe(0);
    // What the killed process was writing at the time; every start removes what is old there.
    const strangers = objects().filter((key) => !recorded.includes(key) && !key.startsWith('.partial/'));
    expect(strangers).toEqual([]);
  }, 240_000);

  it('leaves nothing once the recording is deleted', async () => {
    expect((await ada.delete(`/recordings/${id}`)).status).toBe(200);
    await until(
      'the end of all objects',
      () => objects().every((key) => key.startsWith('.partial/')),
      30_000,
    );
  }, 240_000);
});

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

/** A transaction that lets others read a table, but not change it. */
async function hold(url: string, table: string) {
  const client = new PostgresClient({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${table} IN SHARE MODE`);
  const waiting = (statement: string): string =>
    `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
       AND query LIKE '${statement}'`;
  return {
    // On another connection, as a transaction's view of the others does not change.
    waitedFor: (statement: string) =>
      until(statement, async () => (await query(url, waiting(statement))).length > 0, 90_000),
    release: async () => {
      await client.query('COMMIT');
      await client.end();
    },
  };
}

/** A PATCH of the remaining bytes of the second piece, whose body is written gradually and never ends. */
function openPatch(
  { base }: RunningService,
  url: string,
  offset: number,
  more: Record<string, string> = {},
): ClientRequest {
  const headers = at(offset, {
    authorization: `Bearer ${keyOf('Ada')}`,
    'content-length': String(SECOND.length - offset),
    ...more,
  });
  const path = `${base}/api/v1/uploads/${idOf(url)}`;
  const request = httpRequest(path, { method: 'PATCH', agent: false, headers });
  // The connection breaks with the service.
  request.on('error', () => undefined);
  return request;
}
