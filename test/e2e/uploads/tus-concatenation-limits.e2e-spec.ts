import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { idOf, locationOf, PartialUploads } from '../../support/partial-uploads.js';
import { startService, type TestService } from '../../support/service.js';
import { created, demoVideo, RawTus, storedSha256 } from '../../support/uploads.js';
import { sha256 } from '../../support/objects.js';

const MAX = 100_000;
const QUOTA = 400_000;
const video = demoVideo();
const FULL =
  'You have 2 open uploads, which is the limit; 10 partial uploads count as one. Finish or delete one first.';

let service: TestService;

beforeAll(async () => {
  service = await startService({
    MAX_UPLOAD_SIZE: String(MAX),
    MAX_OPEN_UPLOADS: '2',
    QUOTA_PRO_STORED_BYTES: String(QUOTA),
  });
});
afterAll(() => service.stop());

/** A client whose user has no uploads yet. */
async function newUser(name: string): Promise<{ api: Client; partials: PartialUploads }> {
  await service.import({ users: [user(name)] });
  const api = service.api.as(keyOf(name));
  return { api, partials: new PartialUploads(api) };
}
const usedBytes = async (api: Client): Promise<number> =>
  (await api.get('/me')).body.data.quotas.stored_bytes.used;

describe('the maximum size', () => {
  it('refuses a longer partial upload with 413, and creates nothing', async () => {
    const { api, partials } = await newUser('Ada');
    const { status, body } = await partials.create(MAX + 1);
    expect([status, body]).toEqual([413, refusal('PAYLOAD_TOO_LARGE')]);
    expect(await usedBytes(api)).toBe(0);
    expect((await partials.create(MAX)).status).toBe(201);
  });

  it('holds for a partial upload without a length, which keeps what was acknowledged', async () => {
    const { api, partials } = await newUser('Grace');
    const tus = new RawTus(api, idOf(locationOf(await partials.create(null))));
    expect((await tus.patch(0, Buffer.alloc(60_000))).status).toBe(204);
    const declared = await tus.patch(60_000, Buffer.alloc(0), { 'upload-length': String(MAX + 1) });
    expect([declared.status, declared.body]).toEqual([413, refusal('PAYLOAD_TOO_LARGE')]);
    const { status, body } = await tus.patch(60_000, Buffer.alloc(MAX - 60_000 + 1));
    expect([status, body]).toEqual([413, refusal('PAYLOAD_TOO_LARGE')]);
    expect(await tus.offset()).toBe(60_000);
    expect(await usedBytes(api)).toBe(60_000);
    expect((await tus.head()).headers.get('upload-defer-length')).toBe('1');
  });

  it('refuses bytes beyond the declared length with 413, and keeps what was acknowledged', async () => {
    const { api, partials } = await newUser('Linus');
    const tus = new RawTus(api, idOf(await partials.of(Buffer.alloc(1_000), Buffer.alloc(900))));
    expect((await tus.patch(900, Buffer.alloc(101))).status).toBe(413);
    expect(await tus.offset()).toBe(900);
    expect((await tus.patch(900, Buffer.alloc(100))).status).toBe(204);
  });

  it('refuses a longer final upload with 413, and leaves the partial uploads as they were', async () => {
    const { api, partials } = await newUser('Barbara');
    const urls = [await partials.of(video), await partials.of(Buffer.alloc(MAX - video.length + 1))];
    const { status, body } = await partials.join(urls);
    const message = `size: must be at most ${MAX} bytes`;
    expect([status, body]).toEqual([413, refusal('PAYLOAD_TOO_LARGE', message)]);
    expect((await api.get('/recordings')).body.data).toEqual([]);
    for (const url of urls) expect((await new RawTus(api, idOf(url)).head()).status).toBe(200);
    expect((await partials.join([urls[0]!])).status).toBe(201);
  });
});

describe('the number of open partial uploads', () => {
  it('is bounded for each user, ten of them counting as one open upload', async () => {
    const { api, partials } = await newUser('Margaret');
    const urls: string[] = [];
    for (let count = 0; count < 20; count++) urls.push(locationOf(await partials.create(10)));
    const refused = await partials.create(10);
    expect([refused.status, refused.body]).toEqual([409, refusal('CONFLICT', FULL)]);
    const recording = await api.post('/recordings', { title: 'Weekly sync' });
    expect([recording.status, recording.body]).toEqual([409, refusal('CONFLICT', FULL)]);
    const { partials: another } = await newUser('Alan');
    expect((await another.create(10)).status).toBe(201);
    expect((await new RawTus(api, idOf(urls[0]!)).delete()).status).toBe(204);
    expect((await partials.create(10)).status).toBe(201);
    expect((await partials.create(10)).status).toBe(409);
  });

  it('is never exceeded by requests at the same time', async () => {
    const { partials } = await newUser('Edsger');
    const replies = await Promise.all(Array.from({ length: 25 }, () => partials.create(10)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(5);
  });

  it('at its limit still lets those that are complete be joined', async () => {
    const { partials } = await newUser('Donald');
    const urls = [
      await partials.of(video.subarray(0, 20_000)),
      await partials.of(video.subarray(20_000, 40_000)),
      await partials.of(video.subarray(40_000)),
    ];
    for (let count = urls.length; count < 20; count++) locationOf(await partials.create(10));
    expect((await partials.create(10)).status).toBe(409);
    const id = await partials.joined(urls);
    expect(await storedSha256(service, id)).toBe(sha256(video));
    // What was joined no longer counts.
    for (let count = 0; count < urls.length; count++) locationOf(await partials.create(10));
    expect((await partials.create(10)).status).toBe(409);
  });

  it('leaves room for no more uploads than the limit', async () => {
    const { api, partials } = await newUser('Frances');
    const { id } = await created(api);
    for (let count = 0; count < 10; count++) locationOf(await partials.create(10));
    expect((await partials.create(10)).body).toEqual(refusal('CONFLICT', FULL));
    expect((await new RawTus(api, id).delete()).status).toBe(204);
    expect((await partials.create(10)).status).toBe(201);
  });
});

describe('the quota of stored bytes', () => {
  it('includes partial uploads, and counts their bytes once when they are joined', async () => {
    const { api, partials } = await newUser('Tony');
    const first = await partials.of(video.subarray(0, 20_000));
    const rest = await partials.of(video.subarray(20_000), video.subarray(20_000, 20_100));
    expect(await usedBytes(api)).toBe(video.length);
    const others: string[] = [];
    for (let count = 0; count < 3; count++) others.push(locationOf(await partials.create(MAX)));
    const refused = await partials.create(MAX);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'QUOTA_EXCEEDED']);
    const room = QUOTA - 3 * MAX - video.length;
    expect((await partials.create(room)).status).toBe(201);
    await new RawTus(api, idOf(rest)).patch(100, video.subarray(20_100));
    const id = await partials.joined([first, rest]);
    expect(await usedBytes(api)).toBe(QUOTA);
    for (const url of others) await new RawTus(api, idOf(url)).delete();
    expect((await api.delete(`/recordings/${id}`)).status).toBe(200);
    expect(await usedBytes(api)).toBe(room);
  });
});
