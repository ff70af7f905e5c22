import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCOPE_KEYS } from '../../src/modules/media/keys/scope-keys.js';
import { resealTexts } from '../../src/platform/sealing/sealing-keys.js';
import { Sealer } from '../../src/platform/sealing/sealer.js';
import { ObjectStore } from '../../src/platform/storage/object-store.js';
import {
  keyOf,
  member,
  organization,
  ownDeletion,
  emailOf,
  recording,
  user,
} from '../factories/workspace.js';
import { contentOf } from '../support/objects.js';
import { readHls, settled } from '../support/packaged.js';
import { startService, type TestService } from '../support/service.js';
import { created, demoVideo, RawTus } from '../support/uploads.js';

const [KEY, NEW_KEY] = ['the-content-key-of-this-test-0123456789', 'another-content-key-of-it-0123456789'];
const FILM = demoVideo();
const SOUND = randomBytes(200_000);

describe('with CONTENT_KEY', () => {
  let service: TestService;
  const others: TestService[] = [];
  const from = organization('From', { members: [member('Ada', 'OWNER')] });
  const to = organization('To', { members: [member('Ada', 'OWNER')] });
  const early = recording('Ada', { title: 'Before', media: 'call.mp4' });
  const moved = recording('Ada', { title: 'Moved', media: 'call.mp4', organization: 'From' });
  const left = recording('Ada', { title: 'Left', media: 'call.mp4', organization: 'From' });
  const own = recording('Bob', { title: 'Personal', media: 'call.mp4' });
  const held = recording('Carl', { title: 'Held', media: 'call.mp4' });
  const reseal = () => resealTexts([SCOPE_KEYS], new Sealer([NEW_KEY, KEY]), service.dataSource);
  const ada = () => service.api.as(keyOf('Ada'));

  /** Another process on the same data, which has cached no keys. */
  async function another(settings: Record<string, string>): Promise<TestService> {
    const process = await startService(settings, { beside: service });
    others.push(process);
    return process;
  }

  async function keyOfMedia({ id }: { id: string }): Promise<string> {
    const [row] = await service.dataSource.query('SELECT media_key FROM recordings WHERE id = $1', [id]);
    return row.media_key;
  }
  const fileOf = async (of: { id: string }): Promise<string> =>
    join(service.dataDir, 'objects', await keyOfMedia(of));
  const scopes = async (): Promise<string[]> =>
    (await service.dataSource.query('SELECT scope_id FROM content_keys')).map(
      (row: { scope_id: string }) => row.scope_id,
    );
  async function userId(name: string): Promise<string> {
    const [row] = await service.dataSource.query('SELECT id FROM users WHERE name = $1', [name]);
    return row.id;
  }
  async function played({ id }: { id: string }, range?: string): Promise<Response> {
    const { body } = await ada().get(`/recordings/${id}`);
    return fetch(body.data.videoUrl, { headers: range ? { range } : {} });
  }
  const bytes = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

  beforeAll(async () => {
    const before = await startService();
    const users = [user('Ada'), user('Bob'), user('Carl')];
    await before.import({ users, organizations: [from, to], recordings: [early] }, { 'call.mp4': SOUND });
    service = await startService({ CONTENT_KEY: KEY }, { beside: before, worker: true });
    others.push(before);
    await service.import({ users, recordings: [moved, left, own, held] }, { 'call.mp4': SOUND });
  });
  afterAll(async () => {
    for (const process of others.toReversed().slice(0, -1)) await process.stop();
    await service.stop();
    await others[0]?.stop();
  });

  it('plays a resumed upload, whole, in ranges and as HLS, none of which is readable in the store', async () => {
    const { id } = await created(ada(), { size: FILM.length, title: 'Weekly sync' });
    const tus = new RawTus(ada(), id);
    await tus.patch(0, FILM.subarray(0, 30_000));
    expect(await tus.offset()).toBe(30_000);
    await tus.patch(30_000, FILM.subarray(30_000));
    const { hlsUrl, videoUrl, status } = await settled(ada(), id);
    expect(status).toBe('COMPLETED');
    const whole = await fetch(videoUrl);
    expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(FILM.length)]);
    expect((await bytes(whole)).equals(FILM)).toBe(true);
    const part = await fetch(videoUrl, { headers: { range: 'bytes=-100' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 54976-55075/55076`]);
    expect((await bytes(part)).equals(FILM.subarray(-100))).toBe(true);
    const head = await fetch(videoUrl, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '55076']);
    const other = await fetch(videoUrl, { headers: { 'if-match': '"other"' } });
    expect(other.status).toBe(412);
    const files = await readHls(hlsUrl);
    expect(files.map((file) => file.status)).toEqual(Array(files.length).fill(200));
    expect(files[0]?.content.toString()).toContain('#EXTM3U');

    const keys = (await service.objects()).filter((key) => key.includes(id));
    expect(keys.length).toBeGreaterThan(files.length);
    for (const key of keys) {
      const stored = await readFile(join(service.dataDir, 'objects', key));
      for (const sign of ['ftyp', 'moov', '#EXTM3U', 'JFIF'])
        expect([key, stored.includes(sign)]).toEqual([key, false]);
    }
  });

  it('leaves recordings from before as they are', async () => {
    expect((await readFile(await fileOf(early))).equals(SOUND)).toBe(true);
    expect((await bytes(await played(early, 'bytes=5-9'))).equals(SOUND.subarray(5, 10))).toBe(true);
  });

  it('plays a moved recording without the key of the organization that it left, whose own media cannot be read again', async () => {
    const path = await fileOf(left);
    const stored = await readFile(path);
    expect(stored.includes(SOUND.subarray(0, 16))).toBe(false);
    const leftKey = await keyOfMedia(left);
    const patch = await ada().patch(`/recordings/${moved.id}`, { organization_id: to.id });
    expect(patch.status).toBe(200);
    const deleted = await ada().delete(`/organizations/${from.id}?recordings=delete`);
    expect(deleted.status).toBe(200);
    expect(await scopes()).not.toContain(from.id);
    const logged = await service.dataSource.query(
      `SELECT target_id FROM change_log WHERE type = 'content_key.deleted'`,
    );
    expect(logged).toEqual([{ target_id: from.id }]);

    // As a copy of the disk has it.
    await writeFile(path, stored).catch(() => undefined);
    const process = await another({ CONTENT_KEY: KEY });
    const objects = process.app.get(ObjectStore);
    await expect(objects.get(leftKey)).rejects.toThrow('No object');
    expect((await contentOf(objects, await keyOfMedia(moved))).equals(SOUND)).toBe(true);
    expect((await bytes(await played(moved))).equals(SOUND)).toBe(true);
  });

  it('deletes the key of personal recordings with their user', async () => {
    const bob = await userId('Bob');
    expect(await scopes()).toContain(bob);
    expect((await service.api.as(keyOf('Bob')).delete(ownDeletion(emailOf('Bob')))).status).toBe(200);
    expect(await scopes()).not.toContain(bob);
  });

  it('keeps the key of a deleted user as long as a legal hold needs it', async () => {
    const { dataSource } = service;
    const carl = await userId('Carl');
    const hold = randomUUID();
    await dataSource.query(
      `INSERT INTO legal_holds (id, matter, reason, recording_ids, folder_ids, user_ids, created_at)
       VALUES ($1, 'Case 7', 'court order', '{}', '{}', ARRAY[$2::uuid], now())`,
      [hold, carl],
    );
    await dataSource.query('INSERT INTO held_recordings (recording_id, hold_id) VALUES ($1, $2)', [
      held.id,
      hold,
    ]);
    await dataSource.query('DELETE FROM users WHERE id = $1', [carl]);
    const media = await keyOfMedia(held);
    const process = await another({ CONTENT_KEY: KEY });
    expect((await contentOf(process.app.get(ObjectStore), media)).equals(SOUND)).toBe(true);
    await dataSource.query('DELETE FROM legal_holds WHERE id = $1', [hold]);
    await dataSource.query('DELETE FROM recordings WHERE id = $1', [held.id]);
    expect(await scopes()).not.toContain(carl);
  });

  it('refuses a move, and a new recording, that left the key behind', async () => {
    const move = 'UPDATE recordings SET organization_id = NULL WHERE id = $1';
    await expect(service.dataSource.query(move, [moved.id])).rejects.toThrow(
      `the key of recording ${moved.id} is not sealed for where it is`,
    );
    const copy = `INSERT INTO recordings (id, owner_id, title, status, progress, created_at, updated_at)
      SELECT gen_random_uuid(), owner_id, title, status, progress, created_at, updated_at FROM recordings WHERE id = $1`;
    await expect(service.dataSource.query(copy, [moved.id])).rejects.toThrow('is not sealed for where it is');
  });

  it('starts only with a key that fits, which can be replaced', async () => {
    const refused =
      /^CONTENT_KEY: media of this database is encrypted with a key that is not available here \(id [0-9a-f]{16}\)/;
    await expect(another({})).rejects.toThrow(refused);
    await expect(another({ CONTENT_KEY: NEW_KEY })).rejects.toThrow(refused);
    await expect(another({ CONTENT_KEY_COMMAND: 'echo short' })).rejects.toThrow(
      'CONTENT_KEY_COMMAND must print one key of at least 32 characters without spaces',
    );
    await expect(another({ CONTENT_KEY_COMMAND: 'echo no vault >&2; exit 3' })).rejects.toThrow(
      'CONTENT_KEY_COMMAND failed (3): no vault',
    );
    await another({ CONTENT_KEY_COMMAND: `echo ${KEY}` });
    await another({ CONTENT_KEY: NEW_KEY, CONTENT_KEY_PREVIOUS: KEY });
    const count = (await scopes()).length;
    expect(await reseal()).toEqual({
      'keys of media': count,
    });
    expect(await reseal()).toEqual({});
    const process = await another({ CONTENT_KEY: NEW_KEY });
    const objects = process.app.get(ObjectStore);
    expect((await contentOf(objects, await keyOfMedia(moved), { start: 9 })).equals(SOUND.subarray(9))).toBe(
      true,
    );
    await expect(another({ CONTENT_KEY: KEY })).rejects.toThrow(refused);
  });
});
