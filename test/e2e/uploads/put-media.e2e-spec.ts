import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  keyOf,
  member,
  organization,
  recording,
  summary,
  transcript,
  user,
} from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { sha256 } from '../../support/objects.js';
import { eventually, startService, type TestService } from '../../support/service.js';
import {
  created,
  demoVideo,
  fakeVideo,
  MIB,
  OpenRequest,
  RawTus,
  storedSha256,
  watchConnections,
} from '../../support/uploads.js';

const MAX = 10 * MIB;
const EMPTY =
  'The file is empty, or none was sent. Choose a file of audio or video; curl sends one with -T FILE.';
const video = demoVideo();
const TEXT =
  'The file is a text file. Upload audio or video instead, such as MP4, MOV, MKV, WebM, AVI, MP3, M4A, WAV or Ogg.';

describe('PUT /recordings/:id/media', () => {
  let service: TestService;
  let ada: Client;
  const completed = recording('Ada', { status: 'COMPLETED' });
  const failed = recording('Ada', { status: 'ERROR' });
  const lapsing = organization('Lapsing', { members: [member('Ada', 'OWNER')] });
  const played = recording('Ada', {
    organization: 'Lapsing',
    notes: 'Secret',
    summary,
    transcript: transcript(3),
  });

  beforeAll(async () => {
    service = await startService({ MAX_UPLOAD_SIZE: String(MAX), MAX_OPEN_UPLOADS: '200' });
    await service.import({
      users: [user('Ada')],
      organizations: [lapsing],
      recordings: [completed, failed, played],
    });
    ada = service.api.as(keyOf('Ada'));
    watchConnections(service);
  });
  afterAll(() => service.stop());

  const put = (id: string, body: Uint8Array, headers: Record<string, string> = {}): Promise<Reply> =>
    ada.request('PUT', `/recordings/${id}/media`, {
      body,
      headers: { 'content-type': 'application/octet-stream', ...headers },
    });

  /** Without `Content-Length`. */
  const open = (id: string, headers: Record<string, string> = {}): OpenRequest =>
    new OpenRequest(service, 'PUT', `/recordings/${id}/media`, {
      authorization: `Bearer ${keyOf('Ada')}`,
      ...headers,
    });

  const detail = async (id: string): Promise<object> => (await ada.get(`/recordings/${id}`)).body.data;

  async function expectTaken(id: string, { status, body }: Reply, file: Uint8Array): Promise<void> {
    expect(status).toBe(200);
    expect(body).toEqual({ data: await detail(id) });
    expect(body.data).toMatchObject({ id, status: 'PROCESSING', statusReason: null, progress: 0.5 });
    expect(await storedSha256(service, id)).toBe(sha256(file));
  }

  /** The upload has ended, nothing is stored or accepted any more, and the connection can be reused. */
  async function expectRefused(id: string, { status, body }: Reply, reason: string): Promise<void> {
    expect(body).toEqual(refusal('UNSUPPORTED_MEDIA_TYPE', reason));
    expect(status).toBe(415);
    expect(await detail(id)).toMatchObject({ status: 'ERROR', statusReason: reason });
    expect((await put(id, video)).body).toEqual(
      refusal(
        'CONFLICT',
        `This recording has no open upload. Open one with POST /api/v1/recordings/${id}/upload.`,
      ),
    );
    expect(await storedSha256(service, id)).toBe(sha256(Buffer.alloc(0)));
  }

  it.each([
    ['of unknown length', {}],
    ['of the declared length', { size: 55_076 }],
  ])('accepts a whole file %s and returns the detail', async (_, fields) => {
    const { id } = await created(ada, fields);
    await expectTaken(id, await put(id, video), video);
  });

  it('accepts a file in chunked encoding without a declared length', async () => {
    const { id } = await created(ada);
    const request = open(id);
    await request.write(video.subarray(0, 1));
    await request.write(video.subarray(1, 30_000));
    await expectTaken(id, await request.end(video.subarray(30_000)), video);
  });

  it('says what it did to an upload that was opened before the subscription ended, without what is withheld then', async () => {
    const inLapsing = { organization_id: lapsing.id };
    const { id } = await created(ada, inLapsing);
    const { body: opened } = await ada.post(`/recordings/${played.id}/upload`, {});
    expect(opened.data).toMatchObject({ notes: 'Secret', summary: { content: expect.any(String) } });
    const setStatus = (status: string) =>
      service.dataSource.query('UPDATE organizations SET subscription_status = $1 WHERE id = $2', [
        status,
        lapsing.id,
      ]);
    await setStatus('expired');
    const replies = [await put(id, video), await put(played.id, video)];
    expect(replies.map(({ status, body }) => [status, body.data])).toEqual([
      [200, expect.objectContaining({ id, status: 'PROCESSING', isLocked: true, notes: null })],
      [
        200,
        expect.objectContaining({
          id: played.id,
          newMedia: expect.objectContaining({ status: 'processing' }),
        }),
      ],
    ]);
    expect(JSON.stringify(replies[1]!.body)).not.toMatch(/Secret|http/);
    expect(replies[1]!.body.data).toMatchObject({
      notes: null,
      summary: { content: null },
      transcription: { speakers: [] },
    });
    expect((await put(id, video)).status).toBe(409);
    expect((await ada.get(`/recordings/${id}`)).status).toBe(402);
    await setStatus('active');
    expect(await storedSha256(service, id)).toBe(sha256(video));
  });

  it('replaces what was uploaded before', async () => {
    const { id } = await created(ada, { size: video.length });
    await new RawTus(ada, id).patch(0, fakeVideo(video.length).subarray(0, 20_000));
    await expectTaken(id, await put(id, video), video);
  });

  it('goes by the content, not by the Content-Type', async () => {
    const { id } = await created(ada);
    await expectTaken(id, await put(id, video, { 'content-type': 'text/html' }), video);
  });

  it('refuses a length other than the declared one with 409, and stays open', async () => {
    const { id } = await created(ada, { size: 55_077 });
    const { status, body } = await put(id, video);
    expect(status).toBe(409);
    expect(body).toEqual(
      refusal('CONFLICT', 'Content-Length: must be 55077, the declared size of the upload'),
    );
    expect(await detail(id)).toMatchObject({ status: 'UPLOADING', progress: 0 });
    const inChunks = await open(id).end(video);
    expect([inChunks.status, inChunks.body]).toEqual([409, refusal('CONFLICT')]);
    expect(await detail(id)).toMatchObject({ status: 'UPLOADING' });
  });

  it.each([
    ['declares', (id: string, file: Buffer) => put(id, file)],
    ['only sends', (id: string, file: Buffer) => open(id).end(file)],
  ])(
    'refuses more bytes than the service accepts with 413, and keeps none: a client that %s them',
    async (_, send) => {
      const { id } = await created(ada);
      const { status, body } = await send(id, fakeVideo(MAX + 1));
      expect(body).toEqual(refusal('PAYLOAD_TOO_LARGE', 'An upload may have at most 10485760 bytes.'));
      expect(status).toBe(413);
      expect(await detail(id)).toMatchObject({ status: 'UPLOADING', progress: 0 });
      expect(await new RawTus(ada, id).offset()).toBe(0);
      await expectTaken(id, await put(id, video), video);
    },
  );

  it('does not take the beginning of a file that is longer than declared for the whole', async () => {
    const file = fakeVideo(8 * MIB + 1);
    const { id } = await created(ada, { size: 8 * MIB });
    const request = open(id);
    await request.write(file.subarray(0, 8 * MIB));
    const { status, body } = await request.end(file.subarray(8 * MIB));
    expect(body).toEqual(
      refusal(
        'PAYLOAD_TOO_LARGE',
        `The declared size of this upload is 8388608 bytes; send exactly these, or cancel it with DELETE /api/v1/uploads/${id} and open another.`,
      ),
    );
    expect(status).toBe(413);
    expect(await detail(id)).toMatchObject({ status: 'UPLOADING' });
    expect(await new RawTus(ada, id).offset()).toBe(0);
  });

  it.each([
    ['with its length', (id: string) => put(id, Buffer.alloc(0))],
    ['without', (id: string) => open(id).end()],
  ])('refuses an empty file %s: 415, ERROR', async (_, send) => {
    const { id } = await created(ada);
    await expectRefused(id, await send(id), EMPTY);
  });

  it('refuses a text, whatever its Content-Type: 415, ERROR', async () => {
    const { id } = await created(ada);
    const file = Buffer.alloc(100_000, 'Minutes ');
    await expectRefused(id, await put(id, file, { 'content-type': 'video/mp4' }), TEXT);
  });

  it('gets 409 the second time', async () => {
    const { id } = await created(ada);
    await put(id, video);
    const { status, body } = await put(id, fakeVideo(10_000));
    expect(status).toBe(409);
    expect(body).toEqual(
      refusal(
        'CONFLICT',
        `The upload of this recording is closed. Open another with POST /api/v1/recordings/${id}/upload.`,
      ),
    );
    expect(await storedSha256(service, id)).toBe(sha256(video));
  });

  it.each([completed, failed])(
    'is refused with a message for a recording that has no upload',
    async ({ id }) => {
      const before = await detail(id);
      const { status, body } = await put(id, video);
      expect(status).toBe(409);
      expect(body).toEqual(
        refusal(
          'CONFLICT',
          `This recording has no open upload. Open one with POST /api/v1/recordings/${id}/upload.`,
        ),
      );
      expect(await detail(id)).toEqual(before);
    },
  );

  it('that breaks midway leaves the recording in UPLOADING, and can be repeated', async () => {
    const file = fakeVideo(10 * MIB);
    const { id } = await created(ada, { size: file.length });
    const request = open(id, { 'content-length': String(file.length) });
    await request.write(file.subarray(0, 9 * MIB));
    request.destroy();
    await eventually(async () => expect(await new RawTus(ada, id).offset()).toBeGreaterThan(8 * MIB));
    expect(await detail(id)).toMatchObject({ status: 'UPLOADING', statusReason: null });
    await expectTaken(id, await put(id, file), file);
  });

  it('of two different files at the same time keeps one of them, never a mixture', async () => {
    const [first, second] = [fakeVideo(MAX), fakeVideo(MAX)];
    const { id } = await created(ada, { size: first.length });
    const one = open(id);
    await one.write(first.subarray(0, 9 * MIB));
    await eventually(async () => expect(await new RawTus(ada, id).offset()).toBe(8 * MIB));
    const two = open(id);
    await two.write(second.subarray(0, 9 * MIB));
    const part = sha256(second.subarray(0, 8 * MIB));
    await eventually(async () => expect(await storedSha256(service, id)).toBe(part));
    const replies = [await one.end(first.subarray(9 * MIB)), await two.end(second.subarray(9 * MIB))];
    expect(replies.map(({ status }) => status)).toEqual([409, 200]);
    expect(await storedSha256(service, id)).toBe(sha256(second));
  });
});
