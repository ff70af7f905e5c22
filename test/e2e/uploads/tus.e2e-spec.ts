import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LANGUAGE_RULE } from '../../../src/lib/language/language-codes.js';
import { id, keyOf, member, organization, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { sha256 } from '../../support/objects.js';
import { startService, type TestService } from '../../support/service.js';
import {
  at,
  created,
  demoVideo,
  fakeVideo,
  MIB,
  OpenRequest,
  RawTus,
  storedSha256,
  TUS,
  watchConnections,
} from '../../support/uploads.js';

const MAX = 9 * MIB;
const EMPTY =
  'The file is empty, or none was sent. Choose a file of audio or video; curl sends one with -T FILE.';
/** What `@tus/server` says to clients that upload the pieces of a file in parallel. */
const NOT_JOINED =
  'Concatenation extension is not (yet) supported. Disable parallel uploads in the tus client.';
const video = demoVideo();

const metadata = (fields: object): { 'upload-metadata': string } => ({
  'upload-metadata': Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(String(value)).toString('base64')}`)
    .join(','),
});

describe('tus 1.0 on /uploads', () => {
  let service: TestService;
  let ada: Client;
  const acme = organization('Acme', { members: [member('Ada', 'EDITOR'), member('Vera', 'VIEWER')] });

  beforeAll(async () => {
    service = await startService({ MAX_UPLOAD_SIZE: String(MAX), MAX_OPEN_UPLOADS: '200' });
    await service.import({ users: [user('Ada'), user('Vera')], organizations: [acme] });
    ada = service.api.as(keyOf('Ada'));
    watchConnections(service);
  });
  afterAll(() => service.stop());

  const upload = async (fields: object = {}): Promise<RawTus & { id: string }> => {
    const recording = await created(ada, fields);
    return Object.assign(new RawTus(ada, recording.id), { id: recording.id });
  };
  const detail = async (recordingId: string): Promise<{ status: string; statusReason: string | null }> =>
    (await ada.get(`/recordings/${recordingId}`)).body.data;

  function expectStored({ status, headers, body }: Reply, offset: number): void {
    expect(body).toBe('');
    expect([status, headers.get('upload-offset')]).toEqual([204, String(offset)]);
    expect(headers.get('tus-resumable')).toBe('1.0.0');
  }

  describe('OPTIONS', () => {
    it.each([
      ['of creation', () => service.api.request('OPTIONS', '/uploads')],
      ['of an upload', () => service.api.request('OPTIONS', `/uploads/${id()}`)],
    ])('of the URL %s returns the capabilities of the server without a key', async (_, send) => {
      const { status, headers, body } = await send();
      expect(status).toBe(204);
      expect(body).toBe('');
      expect(Object.fromEntries(headers)).toMatchObject({
        'tus-resumable': '1.0.0',
        'tus-version': '1.0.0',
        'tus-extension': 'creation,creation-with-upload,creation-defer-length,termination',
        'tus-max-size': '9437184',
      });
    });
  });

  describe('HEAD', () => {
    it('returns offset and length, and is never cached', async () => {
      const { status, headers } = await (await upload({ size: 10 })).head();
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'upload-offset': '0',
        'upload-length': '10',
        'cache-control': 'no-store',
        'tus-resumable': '1.0.0',
      });
      expect(headers.has('upload-defer-length')).toBe(false);
    });

    it('reports that the length is not known yet', async () => {
      const { headers } = await (await upload()).head();
      expect([headers.get('upload-offset'), headers.get('upload-defer-length')]).toEqual(['0', '1']);
      expect(headers.has('upload-length')).toBe(false);
    });

    it.each([
      `title ${Buffer.from('Weekly sync').toString('base64')},is_confidential,filename bi5tcDQ=`,
      // The last bits of "bi5tcDR=" mean nothing; a decoder loses them.
      'title bi5tcDR=,empty ',
    ])('returns Upload-Metadata exactly as the creation sent it: %s', async (sent) => {
      const headers = { ...TUS, 'upload-length': '10', 'upload-metadata': sent };
      const { status, headers: reply } = await ada.request('POST', '/uploads', { headers });
      expect(status).toBe(201);
      const tus = new RawTus(ada, reply.get('location')!.split('/').at(-1)!);
      expect((await tus.head()).headers.get('upload-metadata')).toBe(sent.trim());
      expect((await tus.patch(0, video.subarray(0, 5))).headers.has('upload-metadata')).toBe(false);
    });
  });

  describe('PATCH', () => {
    it('accepts a file in pieces of any size, the first ones of one byte each', async () => {
      const tus = await upload({ size: video.length });
      let offset = 0;
      for (const size of [1, 1, 1, 1, 1, 3, 8, 4_080, 4_096, 1, 30_000, video.length]) {
        const piece = video.subarray(offset, offset + size);
        expectStored(await tus.patch(offset, piece), (offset += piece.length));
        expect(await tus.offset()).toBe(offset);
      }
      expect(offset).toBe(55_076);
      expect(await storedSha256(service, tus.id)).toBe(sha256(video));
      expect((await detail(tus.id)).status).toBe('PROCESSING');
    });

    it.each([0, 101])(
      'at offset %i, when 100 bytes have been received, gets 409 and changes nothing',
      async (offset) => {
        const tus = await upload({ size: video.length });
        await tus.patch(0, video.subarray(0, 100));
        const { status, body } = await tus.patch(offset, video.subarray(100, 200));
        expect(body).toEqual(
          refusal('CONFLICT', 'Upload-Offset: must be the number of bytes received so far; HEAD returns it'),
        );
        expect(status).toBe(409);
        expect(await tus.offset()).toBe(100);
        expect(await storedSha256(service, tus.id)).toBe(sha256(video.subarray(0, 100)));
      },
    );

    it('beyond the declared length gets 413, and does not complete the upload with its beginning', async () => {
      const size = 8 * MIB;
      const tus = await upload({ size });
      const key = { authorization: `Bearer ${keyOf('Ada')}` };
      const request = new OpenRequest(service, 'PATCH', `/uploads/${tus.id}`, at(0, key));
      await request.write(fakeVideo(size));
      const { status, body } = await request.end(Buffer.alloc(1));
      expect([status, body]).toEqual([413, refusal('PAYLOAD_TOO_LARGE')]);
      // The reply comes before the bytes are stored that arrived in time.
      for (let n = 0; n < 15; n += 1) expect(await detail(tus.id)).toMatchObject({ status: 'UPLOADING' });
      expect(await tus.offset()).toBeLessThan(size);
    });

    it('after the last byte gets 409 or 413, and changes nothing', async () => {
      const tus = await upload({ size: video.length });
      await tus.patch(0, video);
      expect((await tus.patch(0, video)).body).toEqual(refusal('CONFLICT'));
      expect((await tus.patch(55_076, video)).body).toEqual(refusal('PAYLOAD_TOO_LARGE'));
      expect(await storedSha256(service, tus.id)).toBe(sha256(video));
    });

    const BYTES = 'application/offset+octet-stream';
    it.each([
      ['without Tus-Resumable', { 'upload-offset': '0', 'content-type': BYTES }, 412, 'PRECONDITION_FAILED'],
      ['with another version of tus', { ...at(0), 'tus-resumable': '0.2.2' }, 412, 'PRECONDITION_FAILED'],
      ['without Upload-Offset', { ...TUS, 'content-type': BYTES }, 400, 'VALIDATION_ERROR'],
      ['with another Content-Type', { ...at(0), 'content-type': 'video/mp4' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['with a different length than declared', at(0, { 'upload-length': '200' }), 400, 'VALIDATION_ERROR'],
    ])('%s is refused in the error envelope, and changes nothing', async (_, headers, status, code) => {
      const tus = await upload({ size: video.length });
      const path = `/uploads/${tus.id}`;
      const reply = await ada.request('PATCH', path, { headers, body: video.subarray(0, 100) });
      expect(reply.body).toEqual(refusal(code));
      expect(reply.status).toBe(status);
      expect(await tus.offset()).toBe(0);
    });

    it('names the supported version of tus when asked for another', async () => {
      const { status, headers } = await (await upload()).head({ 'tus-resumable': '2.0.0' });
      expect([status, headers.get('tus-version')]).toEqual([412, '1.0.0']);
    });

    it('of an upload that does not exist gets 404 RECORDING_NOT_FOUND', async () => {
      const { status, body } = await ada.request('PATCH', `/uploads/${id()}`, {
        headers: at(0),
        body: video,
      });
      expect([status, body]).toEqual([404, refusal('RECORDING_NOT_FOUND', 'Recording not found.')]);
    });
  });

  describe('a length that is declared later', () => {
    it('with the last bytes closes the upload', async () => {
      const tus = await upload();
      expectStored(await tus.patch(0, video.subarray(0, 50_000)), 50_000);
      expectStored(await tus.patch(50_000, video.subarray(50_000), { 'upload-length': '55076' }), 55_076);
      expect((await detail(tus.id)).status).toBe('PROCESSING');
      expect(await storedSha256(service, tus.id)).toBe(sha256(video));
    });

    it('after the last bytes, with an empty PATCH, closes it too', async () => {
      const tus = await upload();
      expectStored(await tus.patch(0, video), 55_076);
      expect((await detail(tus.id)).status).toBe('UPLOADING');
      expectStored(await tus.patch(55_076, Buffer.alloc(0), { 'upload-length': '55076' }), 55_076);
      expect((await detail(tus.id)).status).toBe('PROCESSING');
    });

    it('may be repeated, as by a client that retries a broken request', async () => {
      const tus = await upload();
      const told = { 'upload-length': '55076' };
      expectStored(await tus.patch(0, video.subarray(0, 100), told), 100);
      expectStored(await tus.patch(100, video.subarray(100), told), 55_076);
      expect((await detail(tus.id)).status).toBe('PROCESSING');
    });

    it('may not be shorter than what has been received', async () => {
      const tus = await upload();
      await tus.patch(0, video.subarray(0, 100));
      const { status, body } = await tus.patch(100, Buffer.alloc(0), { 'upload-length': '99' });
      expect(status).toBe(400);
      expect(body).toEqual(refusal('VALIDATION_ERROR'));
      expect(await tus.offset()).toBe(100);
    });

    it('of zero ends the upload as an empty file', async () => {
      const tus = await upload();
      const { status, body } = await tus.patch(0, Buffer.alloc(0), { 'upload-length': '0' });
      expect(body).toEqual(refusal('UNSUPPORTED_MEDIA_TYPE', EMPTY));
      expect(status).toBe(415);
      expect(await detail(tus.id)).toMatchObject({ status: 'ERROR', statusReason: EMPTY });
    });
  });

  describe('too many bytes', () => {
    it('for the declared length get 413, and what was acknowledged is kept', async () => {
      const tus = await upload({ size: 1_000 });
      await tus.patch(0, video.subarray(0, 900));
      const { status, body } = await tus.patch(900, video.subarray(900, 1_001));
      expect(status).toBe(413);
      expect(body).toEqual(refusal('PAYLOAD_TOO_LARGE'));
      expect(await tus.offset()).toBe(900);
      expectStored(await tus.patch(900, video.subarray(900, 1_000)), 1_000);
      expect(await storedSha256(service, tus.id)).toBe(sha256(video.subarray(0, 1_000)));
    });

    it('for the service get 413, and what was acknowledged is kept', async () => {
      const tus = await upload();
      const file = fakeVideo(MAX + 1);
      await tus.patch(0, file.subarray(0, 1_000));
      expect((await tus.patch(1_000, file.subarray(1_000))).body).toEqual(refusal('PAYLOAD_TOO_LARGE'));
      expect(await tus.offset()).toBe(1_000);
      expectStored(await tus.patch(1_000, file.subarray(1_000, MAX)), MAX);
      expect(await storedSha256(service, tus.id)).toBe(sha256(file.subarray(0, MAX)));
    });
  });

  describe('bytes that are not a video', () => {
    it('end the upload with 415 and the reason', async () => {
      const tus = await upload({ size: 100_000 });
      const reason = expect.stringContaining('The file is a text file. Upload audio or video instead');
      const { status, body } = await tus.patch(0, Buffer.alloc(5_000, 'text '));
      expect(body).toEqual(refusal('UNSUPPORTED_MEDIA_TYPE', reason));
      expect(status).toBe(415);
      expect(await detail(tus.id)).toMatchObject({ status: 'ERROR', statusReason: reason });
      expect((await tus.patch(0, video)).body).toEqual(
        refusal(
          'NOT_FOUND',
          `This recording has no open upload. Open one with POST /api/v1/recordings/${tus.id}/upload.`,
        ),
      );
    });

    it('leave the connection usable for the next request, however many more there were', async () => {
      const tus = await upload();
      expect((await tus.patch(0, Buffer.alloc(MAX, 'text '))).status).toBe(415);
      expect((await tus.patch(0, video)).status).toBe(404);
      expect((await tus.patch(0, video)).status).toBe(404);
    });

    it('are detected piece by piece as soon as there are enough of them', async () => {
      const tus = await upload({ size: 100_000 });
      expectStored(await tus.patch(0, Buffer.alloc(4_000, 'text ')), 4_000);
      expect((await tus.patch(4_000, Buffer.alloc(100, 'text '))).status).toBe(415);
      expect((await detail(tus.id)).status).toBe('ERROR');
    });

    it('are detected when they end', async () => {
      const tus = await upload({ size: 50 });
      expect((await tus.patch(0, Buffer.alloc(50, 'text '))).status).toBe(415);
      expect((await detail(tus.id)).status).toBe('ERROR');
    });

    it('are detected when the length is declared after them', async () => {
      const tus = await upload();
      expectStored(await tus.patch(0, Buffer.alloc(50, 'text ')), 50);
      const { status, body } = await tus.patch(50, Buffer.alloc(0), { 'upload-length': '50' });
      expect(body).toEqual(refusal('UNSUPPORTED_MEDIA_TYPE'));
      expect(status).toBe(415);
      expect((await detail(tus.id)).status).toBe('ERROR');
    });
  });

  describe('DELETE', () => {
    it('of a finished upload gets 409 and changes nothing', async () => {
      const tus = await upload({ size: video.length });
      await tus.patch(0, video);
      expect((await tus.delete()).body).toEqual(
        refusal(
          'CONFLICT',
          `The upload of this recording is closed. Open another with POST /api/v1/recordings/${tus.id}/upload.`,
        ),
      );
      expect((await detail(tus.id)).status).toBe('PROCESSING');
    });
  });

  describe('POST', () => {
    const post = (headers: Record<string, string>, body?: Uint8Array, name = 'Ada'): Promise<Reply> =>
      service.api.as(keyOf(name)).request('POST', '/uploads', { headers: { ...TUS, ...headers }, body });
    const idOf = ({ headers }: Reply): string => String(headers.get('location')).split('/').at(-1) ?? '';

    it('creates a recording with the fields of Upload-Metadata', async () => {
      const fields = { title: 'Grüße 😀', organization_id: acme.id, started_at: '2026-01-31T09:30:00Z' };
      const reply = await post({ 'upload-length': '55076', ...metadata(fields) });
      expect(reply.status).toBe(201);
      const port = new URL(service.api.base).port;
      expect(reply.headers.get('location')).toBe(`http://localhost:${port}/api/v1/uploads/${idOf(reply)}`);
      expect((await ada.get(`/recordings/${idOf(reply)}`)).body.data).toMatchObject({
        status: 'UPLOADING',
        title: 'Grüße 😀',
        organizationId: acme.id,
        startedAt: '2026-01-31T09:30:00.000Z',
      });
      expectStored(await new RawTus(ada, idOf(reply)).patch(0, video), 55_076);
      expect((await detail(idOf(reply))).status).toBe('PROCESSING');
    });

    it.each([
      ['the title', { name: 'n.mp4', filename: 'f.mp4', title: 'Title' }, 'Title'],
      ['the filename of Uppy', { name: 'n.mp4', filename: 'f.mp4', filetype: 'video/mp4' }, 'f.mp4'],
      ['the name', { name: 'n.mp4' }, 'n.mp4'],
    ])('names it by %s', async (_, fields, title) => {
      const reply = await post({ 'upload-defer-length': '1', ...metadata(fields) });
      expect(reply.status).toBe(201);
      expect(await detail(idOf(reply))).toMatchObject({ title });
    });

    it.each([
      ['blanks after commas, as TUSKit writes them', 'filename YS5tcDQ=, filetype dmlkZW8vbXA0', 'a.mp4'],
      ['a comma at the end', 'filename YS5tcDQ=,', 'a.mp4'],
      ['empty pairs and several blanks', ' , filename \t YS5tcDQ= ,, filetype  dmlkZW8vbXA0 ', 'a.mp4'],
      ['a blank, but no value', 'filename YS5tcDQ=,caption ,title', 'a.mp4'],
      ['no padding', 'filename YS5tcDQ, filetype dmlkZW8vbXA0', 'a.mp4'],
      ['Base64 for URLs', 'title w7_Dvj8-', 'ÿþ?>'],
    ])('reads metadata with %s, and returns it as it was sent', async (_, sent, title) => {
      const reply = await post({ 'upload-length': '10', 'upload-metadata': sent });
      expect([reply.status, reply.body]).toEqual([201, '']);
      expect(await detail(idOf(reply))).toMatchObject({ title });
      const head = await new RawTus(ada, idOf(reply)).head();
      expect(head.headers.get('upload-metadata')).toBe(sent.trim());
    });

    it.each(['title YQ= YQ==', 'title Y', 'title YQ=Y', 'title my file.mp4', 'title YQ==,title Yg==', ', ,'])(
      'refuses metadata that cannot be read for certain: %s',
      async (sent) => {
        const reply = await post({ 'upload-length': '10', 'upload-metadata': sent });
        const message = expect.stringContaining('Upload-Metadata: must be names, each with a blank');
        expect([reply.status, reply.body]).toEqual([400, refusal('VALIDATION_ERROR', message)]);
      },
    );

    it('accepts the first bytes in the same request', async () => {
      const bytes = { 'content-type': 'application/offset+octet-stream' };
      const reply = await post(
        { 'upload-length': '55076', ...bytes, ...metadata({ title: 'x' }) },
        video.subarray(0, 5_000),
      );
      expect([reply.status, reply.headers.get('upload-offset')]).toEqual([201, '5000']);
      expectStored(await new RawTus(ada, idOf(reply)).patch(5_000, video.subarray(5_000)), 55_076);
      expect(await storedSha256(service, idOf(reply))).toBe(sha256(video));
    });

    const TITLE = 'Upload-Metadata: title must be text of 1 to 500 characters, without control characters';
    const named = metadata({ title: 'x' });
    it.each([
      ['no title', { 'upload-length': '10' }, 400, 'VALIDATION_ERROR', TITLE],
      [
        'an impossible day',
        { 'upload-length': '10', ...metadata({ title: 'x', started_at: '2026-02-30' }) },
        400,
        'VALIDATION_ERROR',
        'Upload-Metadata: started_at must be an ISO 8601 date-time',
      ],
      [
        'a transcribe that is neither true nor false',
        { 'upload-length': '10', ...metadata({ title: 'x', transcribe: '1' }) },
        400,
        'VALIDATION_ERROR',
        'Upload-Metadata: transcribe must be true or false',
      ],
      [
        'what is no language',
        { 'upload-length': '10', ...metadata({ title: 'x', language: 'Klingon' }) },
        400,
        'VALIDATION_ERROR',
        `Upload-Metadata: language ${LANGUAGE_RULE}`,
      ],
      [
        'metadata that is not in Base64',
        { 'upload-length': '10', 'upload-metadata': 'title !' },
        400,
        'VALIDATION_ERROR',
        'Upload-Metadata: must be names, each with a blank and its value in Base64, separated by commas, such as title d2Vla2x5',
      ],
      ['no length', named, 400, 'VALIDATION_ERROR'],
      ['an empty file', { 'upload-length': '0', ...named }, 400, 'VALIDATION_ERROR'],
      ['too large a file', { 'upload-length': String(MAX + 1), ...named }, 413, 'PAYLOAD_TOO_LARGE'],
      [
        'a piece of a file that is to be joined',
        { 'upload-length': '10', 'upload-concat': 'partial', ...named },
        400,
        'VALIDATION_ERROR',
        NOT_JOINED,
      ],
    ])(
      'with %s is refused in the error envelope, and creates nothing',
      async (_, headers, status, code, message: unknown = undefined) => {
        const before = (await ada.get('/recordings')).body.pagination.total;
        const reply = await post(headers as Record<string, string>);
        expect(reply.body).toEqual(refusal(code, message));
        expect(reply.status).toBe(status);
        expect((await ada.get('/recordings')).body.pagination.total).toBe(before);
      },
    );
  });

  describe('the recording meanwhile', () => {
    it('reports progress up to one half', async () => {
      const tus = await upload({ size: 1_000 });
      const progress: number[] = [];
      for (let offset = 0; offset < 1_000; offset += 250) {
        await tus.patch(offset, video.subarray(offset, offset + 250));
        progress.push((await ada.get(`/recordings/${tus.id}`)).body.data.progress);
      }
      expect(progress).toEqual([0.125, 0.25, 0.375, 0.5]);
      const { body } = await ada.get('/recordings?status=PROCESSING');
      expect(body.data.find((item: { id: string }) => item.id === tus.id).progress).toBe(0.5);
    });

    it.each([
      ['STARTING', 'UPLOADING'],
      ['RECORDING', 'RECORDING'],
    ])(
      'in %s is in %s after the first bytes, and in UPLOADING once the length is known',
      async (status, next) => {
        const tus = await upload();
        await ada.patch(`/recordings/${tus.id}`, { status });
        await tus.patch(0, video.subarray(0, 100));
        expect((await detail(tus.id)).status).toBe(next);
        await tus.patch(100, video.subarray(100, 200), { 'upload-length': '55076' });
        expect((await detail(tus.id)).status).toBe('UPLOADING');
        await tus.patch(200, video.subarray(200));
        expect(await detail(tus.id)).toMatchObject({ status: 'PROCESSING', progress: 0.5 });
        expect((await ada.patch(`/recordings/${tus.id}`, { status: 'RECORDING' })).status).toBe(409);
      },
    );
  });
});
