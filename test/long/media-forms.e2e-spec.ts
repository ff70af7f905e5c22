import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { refusal, type Client, type Reply } from '../support/client.js';
import { filePart, form, FORM_TYPE, WRONG_FORMS } from '../support/forms.js';
import { sha256 } from '../support/objects.js';
import { eventually, startService, type TestService } from '../support/service.js';
import {
  at,
  created,
  demoVideo,
  fakeVideo,
  MIB,
  OpenRequest,
  RawTus,
  storedSha256,
  watchConnections,
} from '../support/uploads.js';

const MAX = 10 * MIB;
const VTT = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ada>Good morning\n';
const video = demoVideo();
/** Is stored in two parts. */
const large = fakeVideo(9 * MIB);
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

    it('of several parts is taken in whatever pieces it arrives', async () => {
      const body = form(filePart(large));
      const { id } = await created(ada, { size: large.length });
      const request = open(id);
      const cuts = [0, 10, 8 * MIB, body.length - 40, body.length - 1];
      for (const [index, cut] of cuts.entries()) await request.write(body.subarray(cut, cuts[index + 1]));
      await expectTaken(id, await request.end(), large);
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
      ['more follows', form(filePart(large), filePart('more'))],
      ['the form is cut off', filePart(large)],
    ])('is not kept in part when it turns out at its end that %s', async (_, body) => {
      const { id } = await created(ada, { size: large.length });
      expect((await media(id, body)).status).toBe(400);
      expect(await detail(id)).toMatchObject({ status: 'UPLOADING' });
      expect(await new RawTus(ada, id).offset()).toBe(0);
      await expectTaken(id, await media(id, form(filePart(large))), large);
    });

    it('is kept as far as it has arrived when the connection breaks, and can be continued', async () => {
      const body = form(filePart(large));
      const { id } = await created(ada, { size: large.length });
      const request = open(id, { 'content-length': String(body.length) });
      await request.write(body.subarray(0, 8.5 * MIB));
      request.destroy();
      const tus = new RawTus(ada, id);
      await eventually(async () => expect(await tus.offset()).toBeGreaterThan(8 * MIB));
      const offset = await tus.offset();
      expect((await tus.patch(offset, large.subarray(offset))).status).toBe(204);
      expect(await storedSha256(service, id)).toBe(sha256(large));
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

    it.each([
      ['a body', Buffer.alloc(0), 'text/vtt'],
      ['a form', form(filePart('', 'call.vtt')), FORM_TYPE],
    ])('that is missing or empty in %s is an error that says how to send it', async (_, body, type) => {
      const answer = await ada.request('PUT', path(), { body, headers: { 'content-type': type } });
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toMatch(
        /^body: the file is empty, or none was chosen; send .*curl -T/,
      );
    });

    it('is read by the charset and the type of its part', async () => {
      const latin = Buffer.from(VTT.replace('Good morning', 'Grüße'), 'latin1');
      const typed = filePart(latin, 'call.vtt', 'Content-Type: text/vtt; charset=iso-8859-1');
      expect((await put(path(), form(typed))).status).toBe(200);
      expect((await read()).segments[0].text).toBe('Grüße');
      const { body } = await put(path(), form(filePart(VTT, 'x', 'Content-Type: application/json')));
      expect(body.error.message).toContain('is not JSON, although its Content-Type says so');
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
          `Content-Type: must be application/offset+octet-stream, with bytes of the file as the body; a form is taken by PUT /recordings/${id}/media`,
        ),
      );
      expect(status).toBe(415);
      expect(await new RawTus(ada, id).offset()).toBe(0);
    });
  });
});
