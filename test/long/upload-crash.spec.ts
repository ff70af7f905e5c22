import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import { sha256 } from '../support/objects.js';
import { padded, readHls, settled } from '../support/packaged.js';
import {
  embeddedUrl,
  kill,
  postgresProcesses,
  query,
  Sandbox,
  until,
  type RunningService,
} from '../support/process.js';
import { at, created, RawTus } from '../support/uploads.js';

const MIB = 1024 * 1024;
/** A video followed by 24 MB that players skip. */
const SOURCE = padded(readFileSync('demo/media/depot-walk-through.mp4'), randomBytes(24 * MIB));
const PIECE = 3 * MIB;

describe('an upload despite crashes of the service', () => {
  const sandbox = new Sandbox();
  let settings: { DATA_DIR: string; DEMO: string };
  let service: RunningService;
  let id: string;
  let tus: RawTus;

  async function start(): Promise<void> {
    service = await sandbox.start(settings);
    tus = new RawTus(service.api.as(keyOf('Ada')), id);
  }

  /** The stored bytes according to the database. */
  async function held(): Promise<Buffer> {
    const parts = (await query(
      embeddedUrl(settings.DATA_DIR),
      `SELECT key, start::int, size::int FROM upload_parts WHERE recording_id = '${id}' ORDER BY upload_parts.start`,
    )) as { key: string; start: number; size: number }[];
    const contents = parts.map(({ key }) => readFileSync(join(settings.DATA_DIR, 'objects', key)));
    let end = 0;
    for (const [index, { start: begin, size }] of parts.entries()) {
      expect([begin, contents[index]!.length]).toEqual([end, size]);
      end += size;
    }
    return Buffer.concat(contents);
  }

  /** HEAD after a crash: nothing acknowledged is lost, and the stored bytes are the ones sent. */
  async function resume(acknowledged: number): Promise<number> {
    const offset = await tus.offset();
    expect(offset).toBeGreaterThanOrEqual(acknowledged);
    const bytes = await held();
    expect(bytes.length).toBe(offset);
    expect(sha256(bytes)).toBe(sha256(SOURCE.subarray(0, offset)));
    return offset;
  }

  async function send(offset: number, length = PIECE): Promise<number> {
    const { status, headers } = await tus.patch(offset, SOURCE.subarray(offset, offset + length));
    expect(status).toBe(204);
    return Number(headers.get('upload-offset'));
  }

  beforeAll(async () => {
    settings = { DATA_DIR: await sandbox.folder(), DEMO: 'false' };
    await sandbox.importInto(settings, { users: [user('Ada')] });
    service = await sandbox.start(settings);
    ({ id } = await created(service.api.as(keyOf('Ada')), { size: SOURCE.length }));
    tus = new RawTus(service.api.as(keyOf('Ada')), id);
  }, 120_000);
  afterAll(() => sandbox.cleanUp());

  it('bytes acknowledged right before a crash are kept', async () => {
    const acknowledged = await send(await send(0));
    expect(acknowledged).toBe(2 * PIECE);
    await service.program.kill('SIGKILL');
    await start();
    expect(await resume(acknowledged)).toBe(acknowledged);
  });

  it('after a crash in the middle of a request it resumes from the stored bytes, none duplicated or missing', async () => {
    const before = await tus.offset();
    const rest = openPatch(service, id, before);
    rest.write(SOURCE.subarray(before, before + 10 * MIB));
    // The first part of the request is stored, the next one is in progress.
    await until('a stored part', async () => (await tus.offset().catch(() => 0)) > before);
    await service.program.kill('SIGKILL');
    rest.destroy();
    await start();
    expect(await resume(before)).toBeGreaterThan(before);
  });

  it('after a crash of service and database every acknowledged byte is kept', async () => {
    const acknowledged = await send(await tus.offset());
    const database = postgresProcesses(settings.DATA_DIR);
    expect(database.length).toBeGreaterThan(0);
    service.program.child.kill('SIGKILL');
    for (const pid of database) kill(pid, 'SIGKILL');
    await service.program.ended;
    await until('PostgreSQL to stop', () => postgresProcesses(settings.DATA_DIR).length === 0);
    await start();
    await resume(acknowledged);
  });

  it('after a crash at any moment of a request it resumes at the correct offset', async () => {
    const acknowledged = await tus.offset();
    const request = openPatch(service, id, acknowledged);
    request.write(SOURCE.subarray(acknowledged, acknowledged + 5 * MIB));
    await new Promise((done) => setTimeout(done, Math.random() * 100));
    await service.program.kill('SIGKILL');
    request.destroy();
    await start();
    await resume(acknowledged);
  });

  it('the final recording is the file that was sent, byte for byte, and plays', async () => {
    let offset = await tus.offset();
    while (offset < SOURCE.length - PIECE) offset = await send(offset);
    await send(offset);
    const completed = await settled(service.api.as(keyOf('Ada')), id);
    expect(completed).toMatchObject({ status: 'COMPLETED', duration: expect.closeTo(18.35, 1) });
    const video = await fetch(completed.videoUrl);
    expect(sha256(new Uint8Array(await video.arrayBuffer()))).toBe(sha256(SOURCE));
    const files = await readHls(completed.hlsUrl);
    expect(files.map(({ status }) => status)).toEqual(files.map(() => 200));
  });
});

/** A PATCH of the remaining bytes, whose body is written gradually and never ends. */
function openPatch(service: RunningService, id: string, offset: number): ClientRequest {
  const request = httpRequest(`${service.base}/api/v1/uploads/${id}`, {
    method: 'PATCH',
    agent: false,
    headers: at(offset, {
      authorization: `Bearer ${keyOf('Ada')}`,
      'content-length': String(SOURCE.length - offset),
    }),
  });
  // The connection breaks with the service.
  request.on('error', () => undefined);
  return request;
}
