import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, user } from '../factories/workspace.js';
import { refusal, type Client } from '../support/client.js';
import { formatPath, REFUSED, TAKEN } from '../support/formats.js';
import { RawSocket } from '../support/sockets.js';
import { startService, type TestService } from '../support/service.js';
import { created, MIB, RawTus } from '../support/uploads.js';

const UPLOAD = 'Upload audio or video instead, such as MP4, MOV, MKV, WebM, AVI, MP3, M4A, WAV or Ogg.';
const IMPORT = 'Import it as the transcript of a recording instead: PUT /recordings/{id}/transcript.';
const lines = (start: string): Buffer => Buffer.from(start + '\nWe met and talked.'.repeat(300));

describe('Uploads', () => {
  let service: TestService;
  let ada: Client;

  beforeAll(async () => {
    service = await startService({ MAX_OPEN_UPLOADS: '200' });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(() => service.stop());

  const put = async (body: Uint8Array) => {
    const { id } = await created(ada);
    const headers = { 'content-type': 'application/octet-stream' };
    const reply = await ada.request('PUT', `/recordings/${id}/media`, { body, headers });
    const { data } = (await ada.get(`/recordings/${id}`)).body;
    return { id, reply, status: data.status, statusReason: data.statusReason };
  };

  // What is detected of every file: `test/lib/file-types.spec.ts`.
  it('take every kind of file of the list', async () => {
    const refused: string[] = [];
    for (const { file } of new Map(TAKEN.map((format) => [format.type, format])).values()) {
      const { reply, status } = await put(readFileSync(formatPath(file)));
      if (reply.status !== 200 || status !== 'PROCESSING') refused.push(file);
    }
    expect(refused).toEqual([]);
  });

  it.each([
    ...REFUSED.filter(({ type }) => type.startsWith('image/')).map(({ file, reason }) => [
      file,
      readFileSync(formatPath(file)),
      `The file is ${reason}. ${UPLOAD}`,
    ]),
    ['a PDF', Buffer.from(`%PDF-1.7\n${'\0'.repeat(5_000)}`), `The file is a PDF document. ${UPLOAD}`],
    [
      'subtitles',
      lines('WEBVTT\n\n00:01.000 --> 00:02.000'),
      `The file is a WebVTT subtitle file. ${IMPORT}`,
    ],
    [
      'a playlist',
      lines('#EXTM3U'),
      'The file is a playlist (M3U). It only refers to media: upload the audio or video itself.',
    ],
    [
      'bytes of no known kind',
      Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * at * 31 + 17) & 0xff)),
      `The file is not recognized as audio or video. ${UPLOAD}`,
    ],
    ['a few zeros', Buffer.alloc(1_000), `The file is not recognized as audio or video. ${UPLOAD}`],
  ] as [string, Buffer, string][])('refuse %s, saying what it is and what to do', async (_, file, reason) => {
    const { id, reply, ...recording } = await put(file);
    expect(reply.body).toEqual(refusal('UNSUPPORTED_MEDIA_TYPE', reason.replace('{id}', id)));
    expect([reply.status, recording]).toEqual([415, { status: 'ERROR', statusReason: reason }]);
  });

  it.each([
    ['a file in one request', 'PUT', (id: string) => `/recordings/${id}/media`, []],
    [
      'a piece by tus',
      'PATCH',
      (id: string) => `/uploads/${id}`,
      ['Tus-Resumable: 1.0.0', 'Upload-Offset: 0', 'Content-Type: application/offset+octet-stream'],
    ],
  ] as const)(
    'refuse %s at its first bytes, while the rest is still to come',
    async (_, method, path, more) => {
      const { id } = await created(ada, { size: 10 * MIB });
      const headers = [
        `${method} /api/v1${path(id)} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${keyOf('Ada')}`,
        `Content-Length: ${10 * MIB}`,
        ...more,
      ];
      const socket = new RawSocket(service);
      const head = `${headers.join('\r\n')}\r\n\r\n`;
      const reason = `The file is a text file. ${UPLOAD}`;
      await socket.ask(head + lines('# Our product').toString().slice(0, 4_200), reason);
      expect(socket.received).toMatch(/^HTTP\/1.1 415 /);
      socket.socket.destroy();
      expect((await ada.get(`/recordings/${id}`)).body.data).toMatchObject({
        status: 'ERROR',
        statusReason: reason,
      });
    },
  );

  it('take a file that begins with more zeros than are inspected, in pieces too', async () => {
    const file = Buffer.concat([Buffer.alloc(MIB), readFileSync(formatPath('mp3.mp3'))]);
    expect(await put(file)).toMatchObject({ reply: { status: 200 }, status: 'PROCESSING' });
    const { id } = await created(ada, { size: file.length });
    const tus = new RawTus(ada, id);
    for (const [from, to] of [
      [0, 1_000],
      [1_000, 5_000],
      [5_000, file.length],
    ] as const) {
      expect((await tus.patch(from, file.subarray(from, to))).status).toBe(204);
    }
  });
});
