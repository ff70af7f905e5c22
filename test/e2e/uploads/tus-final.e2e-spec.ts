import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../../factories/workspace.js';
import { refusal, type Client } from '../../support/client.js';
import { sha256 } from '../../support/objects.js';
import { idOf, PartialUploads } from '../../support/partial-uploads.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import { created, demoVideo, RawTus, storedSha256 } from '../../support/uploads.js';

const SOON = 25_000;
const video = demoVideo();
const NO_MORE = refusal('FORBIDDEN', 'This upload was joined from partial uploads and takes no more bytes.');

/** Without a worker, so that nothing is packaged before a test says so. */
describe('a final upload', () => {
  let service: TestService;
  let ada: Client;
  let partials: PartialUploads;

  beforeAll(async () => {
    service = await startService();
    await service.import({ users: [user('Ada'), user('Bob')] });
    ada = service.api.as(keyOf('Ada'));
    partials = new PartialUploads(ada);
  });
  afterAll(() => service.stop());

  async function final(): Promise<{ id: string; urls: string[]; tus: RawTus }> {
    const urls = [await partials.of(video.subarray(0, 30_000)), await partials.of(video.subarray(30_000))];
    const id = await partials.joined(urls);
    return { id, urls, tus: new RawTus(ada, id) };
  }

  it('returns from HEAD what it was joined from, and is complete', async () => {
    const { urls, tus } = await final();
    const { status, headers } = await tus.head();
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'upload-concat': `final;${urls.join(' ')}`,
      'upload-length': String(video.length),
      'upload-offset': String(video.length),
      'upload-metadata': `title ${Buffer.from('Joined').toString('base64')}`,
      'tus-resumable': '1.0.0',
      'cache-control': 'no-store',
    });
  });

  it('takes relative URLs as well, and returns them as they were sent', async () => {
    const url = `/api/v1/uploads/${idOf(await partials.of(video))}`;
    const id = await partials.joined([url]);
    expect((await new RawTus(ada, id).head()).headers.get('upload-concat')).toBe(`final;${url}`);
    expect(await storedSha256(service, id)).toBe(sha256(video));
  });

  it.each([
    ['at its end', video.length, Buffer.from('more')],
    ['at its end, without bytes', video.length, Buffer.alloc(0)],
    ['at its beginning', 0, video],
  ])('refuses a PATCH %s with 403, and stays as it is', async (_, offset, bytes) => {
    const { id, tus } = await final();
    const { status, body } = await tus.patch(offset, bytes);
    expect([status, body]).toEqual([403, NO_MORE]);
    const length = await tus.patch(offset, bytes, { 'upload-length': String(video.length) });
    expect([length.status, length.body]).toEqual([403, NO_MORE]);
    expect(await tus.offset()).toBe(video.length);
    expect(await storedSha256(service, id)).toBe(sha256(video));
    expect((await ada.get(`/recordings/${id}`)).body.data.status).toBe('PROCESSING');
  });

  it('is complete for DELETE and PUT too: 409', async () => {
    const { id, tus } = await final();
    expect((await tus.delete()).status).toBe(409);
    expect((await ada.request('PUT', `/recordings/${id}/media`, { body: video })).status).toBe(409);
    expect(await storedSha256(service, id)).toBe(sha256(video));
  });

  it.each([
    ['without Upload-Metadata', undefined, /^Upload-Metadata: title must be/],
    ['with an empty Upload-Metadata', '', /^Upload-Metadata is invalid/],
    ['with a malformed Upload-Metadata', 'title !', /^Upload-Metadata is invalid/],
    ['with a repeated key in Upload-Metadata', 'title YQ==,title YQ==', /^Upload-Metadata is invalid/],
  ])('is refused %s', async (_, metadata, message) => {
    const url = await partials.of(video);
    const { status, body } = await ada.post('/uploads', undefined, {
      headers: {
        'tus-resumable': '1.0.0',
        'upload-concat': `final;${url}`,
        ...(metadata !== undefined && { 'upload-metadata': metadata }),
      },
    });
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'VALIDATION_ERROR',
      expect.stringMatching(message),
    ]);
  });

  it('does not exist for another user', async () => {
    const { tus, id } = await final();
    const bobs = new RawTus(service.api.as(keyOf('Bob')), id);
    expect((await bobs.head()).status).toBe(404);
    expect((await bobs.patch(video.length, Buffer.from('more'))).status).toBe(404);
    expect((await tus.head()).status).toBe(200);
  });

  it('is the only one whose HEAD has Upload-Concat, besides the partial ones', async () => {
    const url = await partials.of(video.subarray(0, 10));
    expect((await new RawTus(ada, idOf(url)).head()).headers.get('upload-concat')).toBe('partial');
    const { id } = await created(ada, { size: video.length });
    expect((await new RawTus(ada, id).head()).headers.has('upload-concat')).toBe(false);
    const offered = await service.api.request('OPTIONS', '/uploads');
    expect(offered.headers.get('tus-extension')?.split(',')).toContain('concatenation');
  });

  it('is gone once it has been packaged, as any upload is', async () => {
    const { id, tus } = await final();
    await service.startWorker();
    await eventually(async () => {
      expect((await ada.get(`/recordings/${id}`)).body.data.status).toBe('COMPLETED');
    }, SOON);
    expect((await tus.head()).status).toBe(404);
    expect((await tus.patch(video.length, Buffer.from('more'))).status).toBe(404);
  });
});
