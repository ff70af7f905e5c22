import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../../factories/workspace.js';
import { refusal, type Client, type Reply } from '../../support/client.js';
import { END, filePart, form, FORM_TYPE, part, WRONG_FORMS } from '../../support/forms.js';
import { sha256 } from '../../support/objects.js';
import { eventually, startService, type TestService } from '../../support/service.js';
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

const MAX = 20 * MIB;
const VTT = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ada>Good morning\n';
const video = demoVideo();
const FORM = { 'content-type': FORM_TYPE };

/** A file in the only part of `multipart/form-data`, as HTML forms and `curl -F file=@FILE` send it. */
describe('a file in a form', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({ MAX_UPLOAD_SIZE: String(MAX), MAX_OPEN_UPLOADS: '200' });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
    watchConnections(service);
  });
  afterAll(() => service.stop());

  const put = (path: string, body: Uint8Array, headers: Record<string, string> = FORM): Promise<Reply> =>
    ada.request('PUT', path, { body, headers });
  const detail = async (id: string) => (await ada.get(`/recordings/${id}`)).body.data;

  /** Without `Content-Length`, unless it is in the headers. */
  const open = (id: string, headers: Record<string, string> = {}): OpenRequest =>
    new OpenRequest(service, 'PUT', `/recordings/${id}/media`, {
      authorization: `Bearer ${keyOf('Ada')}`,
      ...FORM,
      ...headers,
    });

  describe('as media', () => {
    const sent = filePart(video, 'weekly.mp4', 'Content-Type: video/mp4');
    const media = (id: string, body: Uint8Array): Promise<Reply> => put(`/recordings/${id}/media`, body);

    async function expectTaken(id: string, { status, body }: Reply, file: Uint8Array): Promise<void> {
      expect([status, body.error]).toEqual([200, undefined]);
      expect(await detail(id)).toMatchObject({ status: 'PROCESSING', statusReason: null });
      expect(await storedSha256(service, id)).toBe(sha256(file));
    }

    async function expectOpen(id: string): Promise<void> {
      expect(await detail(id)).toMatchObject({ status: 'UPLOADING', statusReason: null });
      expect(await new RawTus(ada, id).offset()).toBe(0);
      expect(await storedSha256(service, id)).toBe(sha256(Buffer.alloc(0)));
      await expectTaken(id, await media(id, form(sent)), video);
    }

    it.each([
      ['of unknown size', {}],
      ['of the declared size', { size: video.length }],
    ])('%s is taken', async (_, fields) => {
      const { id } = await created(ada, fields);
      await expectTaken(id, await media(id, form(sent)), video);
    });

    it.each(['file', 'attachment[]'])(
      'is taken from a form of a browser, with the field %s',
      async (name) => {
        const data = new FormData();
        data.append(name, new Blob([video], { type: 'video/mp4' }), 'größe "1".mp4');
        const encoded = new Response(data);
        const headers = { 'content-type': encoded.headers.get('content-type')! };
        const { id } = await created(ada);
        const body = Buffer.from(await encoded.arrayBuffer());
        await expectTaken(id, await put(`/recordings/${id}/media`, body, headers), video);
      },
    );

    it('of several parts is taken in whatever pieces it arrives', async () => {
      const file = fakeVideo(9 * MIB);
      const body = form(filePart(file));
      const { id } = await created(ada, { size: file.length });
      const request = open(id);
      const cuts = [0, 10, 8 * MIB, body.length - 40, body.length - 1];
      for (const [index, cut] of cuts.entries()) await request.write(body.subarray(cut, cuts[index + 1]));
      await expectTaken(id, await request.end(), file);
    });

    it.each(WRONG_FORMS(video))(
      'is refused in a form %s, and the upload stays open',
      async (_, body, reason) => {
        const { id } = await created(ada, { size: video.length });
        const { status, body: answer } = await media(id, body);
        expect(status).toBe(400);
        expect(answer).toEqual(refusal('VALIDATION_ERROR', expect.stringContaining(`body: ${reason}`)));
        await expectOpen(id);
      },
    );

    it.each([
      ['more follows', (file: Buffer) => form(filePart(file), filePart('more'))],
      ['the form is cut off', (file: Buffer) => filePart(file)],
    ])('is not kept in part when it turns out at its end that %s', async (_, body) => {
      const file = fakeVideo(9 * MIB);
      const { id } = await created(ada, { size: file.length });
      expect((await media(id, body(file))).status).toBe(400);
      expect(await detail(id)).toMatchObject({ status: 'UPLOADING' });
      expect(await new RawTus(ada, id).offset()).toBe(0);
      await expectTaken(id, await media(id, form(filePart(file))), file);
    });

    it('is refused at its beginning without loss of what has been uploaded', async () => {
      const { id } = await created(ada, { size: video.length });
      const tus = new RawTus(ada, id);
      await tus.patch(0, video.subarray(0, 20_000));
      expect((await media(id, form(part('en', { name: 'language' }), sent))).status).toBe(400);
      expect(
        (await put(`/recordings/${id}/media`, form(sent), { 'content-type': 'multipart/form-data' })).status,
      ).toBe(400);
      expect(
        (await put(`/recordings/${id}/media`, form(sent), { 'content-type': 'multipart/mixed; boundary=x' }))
          .status,
      ).toBe(415);
      expect((await tus.patch(20_000, video.subarray(20_000))).status).toBe(204);
      await expectTaken(id, { status: 200, body: {} } as Reply, video);
    });

    it('is kept as far as it has arrived when the connection breaks, and can be continued', async () => {
      const file = fakeVideo(10 * MIB);
      const body = form(filePart(file));
      const { id } = await created(ada, { size: file.length });
      const request = open(id, { 'content-length': String(body.length) });
      await request.write(body.subarray(0, 9 * MIB));
      request.destroy();
      const tus = new RawTus(ada, id);
      await eventually(async () => expect(await tus.offset()).toBeGreaterThan(8 * MIB));
      const offset = await tus.offset();
      expect((await tus.patch(offset, file.subarray(offset))).status).toBe(204);
      expect(await storedSha256(service, id)).toBe(sha256(file));
    });

    it.each([
      ['is announced', (id: string, body: Buffer) => media(id, body)],
      ['is not', (id: string, body: Buffer) => open(id).end(body)],
    ])('larger than the service accepts is refused with 413 when that %s', async (_, send) => {
      const { id } = await created(ada);
      const { status, body } = await send(id, form(filePart(fakeVideo(MAX + 20_000))));
      expect([status, body]).toEqual([
        413,
        refusal('PAYLOAD_TOO_LARGE', `An upload may have at most ${MAX} bytes.`),
      ]);
      await expectOpen(id);
    });

    it('of the largest accepted size is taken', async () => {
      const file = fakeVideo(MAX);
      const { id } = await created(ada);
      await expectTaken(id, await media(id, form(filePart(file))), file);
    });

    it.each([-1, 1])(
      'of another size than declared, by %i bytes, is refused and leaves the upload open',
      async (more) => {
        const { id } = await created(ada, { size: video.length });
        const file = Buffer.concat([video, Buffer.alloc(1)]).subarray(0, video.length + more);
        const { status, body } = await media(id, form(filePart(file)));
        expect(body.error.message).toContain(`${video.length} bytes`);
        expect(status).toBe(more > 0 ? 413 : 409);
        expect(await detail(id)).toMatchObject({ status: 'UPLOADING' });
        await expectTaken(id, await media(id, form(sent)), video);
      },
    );

    it('that is not media ends the upload like any other', async () => {
      const { id } = await created(ada);
      const { status, body } = await media(id, form(filePart('Minutes of the weekly sync')));
      expect([status, body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
      expect(await detail(id)).toMatchObject({ status: 'ERROR', statusReason: body.error.message });
    });

    it('is not for others', async () => {
      const { id } = await created(ada);
      const path = `/recordings/${id}/media`;
      expect((await service.api.request('PUT', path, { body: form(sent), headers: FORM })).status).toBe(401);
      await expectOpen(id);
    });
  });

  describe('as a transcript', () => {
    let id: string;
    const path = () => `/recordings/${id}/transcript`;
    const read = async () => (await ada.get(path())).body.data;

    beforeEach(async () => {
      ({ id } = recording('Ada'));
      await service.import({ recordings: [recording('Ada', { id })] });
    });

    it.each([
      [
        'text of Otter',
        'Ann Lee  0:03\nGood morning everyone.\n\nBob Ray  0:09\nMorning. Shall we start?\n',
        'otter.txt',
        'Morning. Shall we start?',
      ],
      ['WebVTT', VTT, 'call.vtt', 'Good morning'],
    ])('%s is taken, and nothing of the form is in it', async (_, content, name, last) => {
      expect((await put(path(), form(filePart(content, name, 'Content-Type: text/plain')))).status).toBe(200);
      expect((await read()).segments.at(-1).text).toBe(last);
    });

    it('is read by the charset and the type of its part', async () => {
      const latin = Buffer.from(VTT.replace('Good morning', 'Grüße'), 'latin1');
      const typed = filePart(latin, 'call.vtt', 'Content-Type: text/vtt; charset=iso-8859-1');
      expect((await put(path(), form(typed))).status).toBe(200);
      expect((await read()).segments[0].text).toBe('Grüße');
      const { body } = await put(path(), form(filePart(VTT, 'x', 'Content-Type: application/json')));
      expect(body.error.message).toContain('is not JSON, although its Content-Type says so');
    });

    it('of more than 20 MiB is refused with 413', async () => {
      const { status, body } = await put(path(), form(filePart(Buffer.alloc(20 * MIB + 1, ' '))));
      expect([status, body]).toEqual([
        413,
        refusal('PAYLOAD_TOO_LARGE', 'The request body is larger than 20971520 bytes.'),
      ]);
    });
  });

  describe('as a summary', () => {
    let id: string;
    const path = () => `/recordings/${id}/summary`;

    beforeEach(async () => {
      ({ id } = recording('Ada'));
      await service.import({ recordings: [recording('Ada', { id })] });
    });

    it.each([
      ['Markdown by its name, as curl sends it', '## Decisions', 'notes.md', 'application/octet-stream'],
      ['Markdown by its type', '## Decisions', 'blob', 'text/markdown; charset=utf-8'],
      ['JSON', '{"content":"## Decisions"}', 'blob', 'application/json'],
    ])('%s is taken', async (_, content, name, type) => {
      const { status, body } = await put(path(), form(filePart(content, name, `Content-Type: ${type}`)));
      expect([status, body.data.content]).toEqual([200, '## Decisions']);
    });

    it('of another type is refused, as is a form with more than it', async () => {
      const { status, body } = await put(path(), form(filePart('%PDF-', 'notes.pdf')));
      expect(status).toBe(415);
      expect(body.error.message).toContain('must be text/markdown or application/json');
      const two = filePart('## Decisions', 'notes.md');
      expect((await put(path(), form(two, two))).status).toBe(400);
      expect((await ada.get(path())).body.data.status).toBe('not_started');
    });
  });

  describe('for tus', () => {
    it('is refused with 415, which says how to send it, and nothing is stored', async () => {
      const { id } = await created(ada, { size: video.length });
      const { status, body } = await ada.request('PATCH', `/uploads/${id}`, {
        headers: at(0, FORM),
        body: form(filePart(video)),
      });
      expect(body).toEqual(
        refusal(
          'UNSUPPORTED_MEDIA_TYPE',
          'Content-Type: must be application/offset+octet-stream, with bytes of the file as the body; a form is taken by PUT /recordings/{id}/media',
        ),
      );
      expect(status).toBe(415);
      expect(await new RawTus(ada, id).offset()).toBe(0);
    });

    it('is refused when it comes with the creation, and nothing is created', async () => {
      const before = (await ada.get('/recordings')).body.pagination.total;
      const { status } = await ada.request('POST', '/uploads', {
        headers: { ...TUS, ...FORM, 'upload-length': '55076', 'upload-metadata': 'title SGk=' },
        body: form(filePart(video)),
      });
      expect(status).toBe(415);
      expect((await ada.get('/recordings')).body.pagination.total).toBe(before);
    });
  });

  it('is not taken where JSON is', async () => {
    const { status, body } = await ada.request('POST', '/recordings', { body: END, headers: FORM });
    expect([status, body]).toEqual([
      415,
      refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.'),
    ]);
  });
});
