import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import { sha256 } from '../support/objects.js';
import { padded, settled } from '../support/packaged.js';
import { embeddedUrl, query, Sandbox, until, type RunningService } from '../support/process.js';
import { created, RawTus } from '../support/uploads.js';

/** 35 minutes, one piece per second: enough for two levels of merged parts. */
const PIECES = 1_100;
const PIECE = 100;
const CRASHES = new Set([300, 900, 1_500]);
const SOURCE = padded(
  readFileSync('demo/media/depot-walk-through.mp4'),
  randomBytes(PIECES * PIECE - 55_076 - 8),
);

interface Part {
  readonly key: string;
  readonly start: number;
  readonly size: number;
  readonly level: number;
}

describe('a live upload in small pieces', () => {
  const sandbox = new Sandbox();
  let settings: { DATA_DIR: string; DEMO: string };
  let service: RunningService;
  let id: string;
  let tus: RawTus;

  const parts = async (): Promise<Part[]> =>
    (await query(
      embeddedUrl(settings.DATA_DIR),
      `SELECT key, start::int, size::int, level FROM upload_parts WHERE recording_id = '${id}' ORDER BY upload_parts.start`,
    )) as Part[];

  beforeAll(async () => {
    settings = { DATA_DIR: await sandbox.folder(), DEMO: 'false' };
    await sandbox.importInto(settings, { users: [user('Ada')] });
    service = await sandbox.start(settings);
    ({ id } = await created(service.api.as(keyOf('Ada'))));
    tus = new RawTus(service.api.as(keyOf('Ada')), id);
  }, 60_000);
  afterAll(() => sandbox.cleanUp());

  it('leaves few parts with the bytes that were sent, although the service crashes while it merges', async () => {
    expect(SOURCE).toHaveLength(PIECES * PIECE);
    for (let piece = 0; piece < PIECES; piece++) {
      if (CRASHES.has(piece)) {
        await service.program.kill('SIGKILL');
        service = await sandbox.start(settings);
        tus = new RawTus(service.api.as(keyOf('Ada')), id);
        expect(await tus.offset()).toBe(piece * PIECE);
      }
      const offset = piece * PIECE;
      expect((await tus.patch(offset, SOURCE.subarray(offset, offset + PIECE))).status).toBe(204);
    }
    let held: Part[] = [];
    await until('the parts to be merged', async () => (held = await parts()).length <= 93);
    // Each byte of a part has been copied as often as its level says.
    const copied = held.reduce((sum, { size, level }) => sum + size * level, 0);
    expect(copied / SOURCE.length).toBeLessThanOrEqual(2);
    const contents = held.map(({ key }) => readFileSync(join(settings.DATA_DIR, 'objects', key)));
    expect(held.map(({ size }) => size)).toEqual(contents.map(({ length }) => length));
    expect(sha256(Buffer.concat(contents))).toBe(sha256(SOURCE));
  }, 600_000);

  it('becomes the recording that was sent', async () => {
    const end = { 'upload-length': String(SOURCE.length) };
    expect((await tus.patch(SOURCE.length, Buffer.alloc(0), end)).status).toBe(204);
    const completed = await settled(service.api.as(keyOf('Ada')), id);
    expect(completed).toMatchObject({ status: 'COMPLETED' });
    const video = await fetch(completed.videoUrl);
    expect(sha256(new Uint8Array(await video.arrayBuffer()))).toBe(sha256(SOURCE));
  }, 120_000);
});
