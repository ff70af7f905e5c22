import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MeetingRecordings, RecordingFailedError, verifyWebhook } from 'meeting-recording-client';
import { Webhook } from 'standardwebhooks';
import { drop, json, ok, refuse, ScriptedServer, type Answer } from '../../support/scripted-server.js';

const MIB = 1024 * 1024;
const EVENT = { id: 'e-1', type: 'recording.updated', timestamp: '2026-01-31T09:30:00.000Z', data: {} };
const RECORDING = {
  status: 'COMPLETED',
  media: 'available',
  newMedia: null,
  transcription: { status: 'not_started' },
  summary: { status: 'not_started' },
};

let server: ScriptedServer;
let api: MeetingRecordings;

beforeAll(async () => {
  // Half a second becomes a few milliseconds.
  jest.spyOn(Math, 'random').mockReturnValue(-0.99);
  server = await ScriptedServer.start();
  api = new MeetingRecordings({ baseUrl: server.base, apiKey: 'mrs_secret0000' });
});
afterEach(() => server.reset());
afterAll(async () => {
  jest.restoreAllMocks();
  await server.stop();
});

/** A stream with these messages, which then ends. */
const stream =
  (...messages: string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    // In pieces that do not end where messages do, nor characters.
    const bytes = Buffer.from(messages.map((one) => `${one}\n\n`).join(''));
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
    response.end();
  };
const message = (cursor: string, event: object): string =>
  `id: ${cursor}\nevent: recording.updated\ndata: ${JSON.stringify(event)}`;

describe('Events', () => {
  it('continue after a broken connection where they were, also by the position in a comment', async () => {
    const title = 'Besprechung über Größe 🚀';
    server.answers = [
      refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }),
      stream('retry: 3000', message('c-1', { ...EVENT, data: { title } })),
      drop,
      stream(': heartbeat\nid: c-2'),
      stream('event: end\ndata: {"error":{"code":"INVALID_API_KEY","message":"It is gone"}}'),
      refuse(401, 'INVALID_API_KEY'),
    ];
    const seen: unknown[] = [];
    const follow = async (): Promise<void> => {
      for await (const event of api.events({ types: 'recording.*', cursor: 'c-0' })) seen.push(event);
    };
    await expect(follow()).rejects.toMatchObject({ code: 'INVALID_API_KEY', status: 401 });
    expect(seen).toEqual([{ ...EVENT, data: { title }, cursor: 'c-1' }]);
    const cursors = server.received.map(({ url }) => new URL(url, server.base).searchParams.get('cursor'));
    expect(cursors).toEqual(['c-0', 'c-0', 'c-1', 'c-1', 'c-2', 'c-2']);
  });

  it('end at once when the service cannot be reached from the start, or is none', async () => {
    server.answers = [drop];
    await expect(api.events().next()).rejects.toMatchObject({ name: 'ConnectionError' });
    server.answers = [(response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>')];
    await expect(api.events().next()).rejects.toMatchObject({ name: 'InvalidReplyError' });
  });

  it('leave no connection open when the loop ends', async () => {
    let closed: Promise<unknown> | undefined;
    server.answers = [
      (response) => {
        closed = once(response, 'close');
        response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .write(`${message('c-1', EVENT)}\n\n`);
      },
    ];
    for await (const _ of api.events()) break;
    await closed;
  });
});

describe('Waiting', () => {
  const looks = (): number => server.lines.filter((line) => !line.includes('stream')).length;
  /** Answers requests for the recording in order; those for the stream with `events`. */
  const recordings = (events: Answer, ...states: object[]): void => {
    server.answers = [
      (response, request) => {
        if (request.url.includes('/events/stream')) return events(response, request);
        const state = states.length > 1 ? states.shift() : states[0];
        return ok({ ...RECORDING, ...state })(response, request);
      },
    ];
  };

  it('is woken by an event, and looks again without one', async () => {
    const summary = { status: 'completed' };
    recordings(stream(message('c-1', EVENT)), { summary: { status: 'processing' } }, { summary });
    expect(await api.waitFor('r-1', 'summary')).toMatchObject({ summary });
    recordings(refuse(403, 'FORBIDDEN'), { summary: { status: 'processing' } }, { summary });
    expect(await api.waitFor('r-1', 'summary')).toMatchObject({ summary });
    expect(looks()).toBe(4);
  });

  it.each<[Parameters<typeof api.waitFor>[1], object, string]>([
    ['playable', { status: 'ERROR', statusReason: 'Damaged', media: 'pending' }, 'Damaged'],
    ['playable', { media: 'none' }, 'The recording has no media'],
    ['playable', { newMedia: { status: 'failed', statusReason: 'Not media' } }, 'Not media'],
    ['transcript', { transcription: { status: 'failed', statusReason: 'No speech' } }, 'No speech'],
    ['transcript', {}, 'The recording has no transcript, and none is being made'],
    ['summary', { transcription: { status: 'failed', statusReason: 'No speech' } }, 'No speech'],
    [
      'summary',
      { transcription: { status: 'completed' } },
      'The recording has no summary, and none is being made',
    ],
  ])('for %s of %j says why it will not come', async (awaited, state, reason) => {
    recordings(drop, state);
    const waiting = api.waitFor('r-1', awaited);
    await expect(waiting).rejects.toThrow(RecordingFailedError);
    await expect(waiting).rejects.toThrow(reason);
  });

  it.each<[Parameters<typeof api.waitFor>[1], object]>([
    ['playable', { status: 'MIGRATING' }],
    ['transcript', { transcription: { status: 'completed' } }],
    ['summary', { summary: { status: 'completed' }, transcription: { status: 'failed' } }],
  ])('for %s of %j is over', async (awaited, state) => {
    recordings(drop, state);
    expect(await api.waitFor('r-1', awaited)).toMatchObject(state);
  });
});

describe('An upload', () => {
  const content = randomBytes(3 * MIB + 5);
  const upload_url = 'http://127.0.0.1/api/v1/uploads/u-1';
  let stored: Buffer;
  let length: string | undefined;

  /** What a service does, except for these answers to `PATCH` requests, in order. */
  const misbehave = (...answers: (Answer | 'ok')[]): void => {
    stored = Buffer.alloc(0);
    length = undefined;
    server.answers = [
      (response, request) => {
        const { method, headers, body } = request;
        if (method === 'POST') {
          length = (JSON.parse(body.toString()) as { size?: number }).size?.toString();
          return json(201, { data: { id: 'r-1', upload_url } })(response, request);
        }
        if (method === 'GET') return ok({ ...RECORDING, id: 'r-1' })(response, request);
        if (method === 'PATCH') {
          const answer = answers.shift() ?? 'ok';
          if (answer !== 'ok') return answer(response, request);
          if (headers['upload-offset'] !== String(stored.length))
            return refuse(409, 'CONFLICT')(response, request);
          length ??= headers['upload-length'] as string | undefined;
          stored = Buffer.concat([stored, body]);
        }
        const head = {
          'upload-offset': String(stored.length),
          ...(length !== undefined && { 'upload-length': length }),
        };
        return response.writeHead(method === 'HEAD' ? 200 : 204, head).end();
      },
    ];
  };
  /** Stores part of what was sent, and is gone before it says so. */
  const half: Answer = (response, { body }) => {
    stored = Buffer.concat([stored, body.subarray(0, body.length / 2)]);
    response.destroy();
  };
  const whole: Answer = (response, { body }) => {
    stored = Buffer.concat([stored, body]);
    response.destroy();
  };
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < content.length; at += 300_000) yield content.subarray(at, at + 300_000);
  };

  it.each<[string, () => Parameters<typeof api.upload>[0]]>([
    ['a file', () => new Blob([content])],
    ['a stream', chunks],
    ['a stream of Node', () => Readable.from(chunks())],
    ['a web stream', () => new Blob([content]).stream()],
  ])('of %s arrives whole and in order, whatever breaks', async (_, source) => {
    misbehave(
      half,
      'ok',
      refuse(503, 'SERVICE_UNAVAILABLE', { 'retry-after': '0' }),
      half,
      drop,
      half,
      whole,
    );
    const sent: number[] = [];
    await api.upload(source(), { title: 'A', onProgress: (progress) => sent.push(progress.sent) });
    expect(stored.equals(content)).toBe(true);
    expect(length).toBe(String(content.length));
    expect(sent).toEqual(sent.toSorted((one, other) => one - other));
  });

  it('is done when the reply to its last piece is lost, even if the service has nothing more to say of it', async () => {
    misbehave(whole);
    await api.upload(content.subarray(0, 10), { title: 'A' });
    expect(server.lines.map((line) => line.split(' ')[0])).toEqual(['POST', 'PATCH', 'HEAD', 'GET']);
  });

  it('gives up when nothing arrives any more, or the service refuses', async () => {
    misbehave(...Array<Answer>(4).fill(drop));
    await expect(api.upload(content, { title: 'A' })).rejects.toMatchObject({ name: 'ConnectionError' });
    misbehave(refuse(415, 'UNSUPPORTED_MEDIA_TYPE'));
    await expect(api.upload(content, { title: 'A' })).rejects.toMatchObject({ status: 415 });
    for (const storedAt of [{}, { 'upload-offset': '0' }]) {
      misbehave((response) => response.writeHead(204, storedAt).end());
      await expect(api.upload(content, { title: 'A' })).rejects.toMatchObject({ name: 'InvalidReplyError' });
    }
    misbehave();
    const ended = 'The source ended after 10 of 20 bytes';
    await expect(api.upload(content.subarray(0, 10), { title: 'A', size: 20 })).rejects.toThrow(ended);
  });

  it('can be continued by what onBegin received, and stopped by a signal', async () => {
    const controller = new AbortController();
    misbehave();
    let begun: { id: string; upload_url: string } | undefined;
    const stopped = api.upload(new Blob([content]), {
      title: 'A',
      signal: controller.signal,
      onBegin: (upload) => (begun = upload),
      onProgress: () => controller.abort('enough'),
    });
    await expect(stopped).rejects.toBe('enough');
    expect(stored.length).toBe(MIB);
    await api.upload(chunks(), { resume: begun, size: content.length });
    expect(stored.equals(content)).toBe(true);
  });

  it('begins once with a key of its own, and reads only what is missing of a source that can be read anywhere', async () => {
    const reads: number[] = [];
    const source = {
      size: null,
      read: async (offset: number, size: number) => {
        reads.push(offset);
        return new Blob([content.subarray(offset, offset + size)]);
      },
    };
    misbehave();
    let begun: { id: string; upload_url: string } | undefined;
    const stopped = new AbortController();
    const first = api.upload(source, {
      title: 'A',
      idempotencyKey: 'key-1',
      signal: stopped.signal,
      onBegin: (upload) => (begun = upload),
      onProgress: () => stopped.abort('enough'),
    });
    await expect(first).rejects.toBe('enough');
    expect(server.received[0]?.headers['idempotency-key']).toBe('key-1');
    reads.length = 0;
    await api.upload(source, { resume: begun });
    expect(reads[0]).toBe(MIB);
    expect(stored.equals(content)).toBe(true);
    expect(length).toBe(String(content.length));
  });

  it('says what it has begun, even if it is stopped before the service replies', async () => {
    const controller = new AbortController();
    misbehave();
    const [answer] = server.answers as [Answer];
    server.answers = [
      (response, request) => {
        controller.abort('enough');
        return answer(response, request);
      },
    ];
    const begun: string[] = [];
    const onBegin = ({ id }: { id: string }): unknown => begun.push(id);
    const upload = (): Promise<unknown> =>
      api.upload(content, { title: 'A', signal: controller.signal, onBegin });
    await expect(upload()).rejects.toBe('enough');
    await expect(upload()).rejects.toBe('enough');
    expect([begun, stored.length]).toEqual([['r-1'], 0]);
    expect(server.lines.map((line) => line.split(' ')[0])).toEqual(['POST']);
  });
});

describe('verifyWebhook', () => {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const body = JSON.stringify(EVENT);
  const sign = (at = new Date(), key = secret): Record<string, string> => ({
    'webhook-id': 'e-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign('e-1', at, body),
  });
  const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

  it('returns what the published library has signed, whatever the form of body and headers', async () => {
    const headers = sign();
    expect(await verifyWebhook(body, headers, secret)).toEqual(EVENT);
    expect(await verifyWebhook(Buffer.from(body), new Headers(headers), secret)).toEqual(EVENT);
    const { 'webhook-signature': signature = '', ...rest } = headers;
    const titled = { ...rest, 'Webhook-Signature': [`v1,AAAA v2,${signature} ${signature}`] };
    expect(await verifyWebhook(new TextEncoder().encode(body).buffer, titled, secret)).toEqual(EVENT);
  });

  it.each<[string, string, Record<string, string>]>([
    ['another body', body.replace('e-1', 'e-2'), sign()],
    ['another id', body, { ...sign(), 'webhook-id': 'e-2' }],
    ['another secret', body, sign(new Date(), `whsec_${randomBytes(24).toString('base64')}`)],
    ['an old request', body, sign(minutesAgo(9))],
    ['one from the future', body, sign(minutesAgo(-9))],
    ['no signature', body, { ...sign(), 'webhook-signature': '' }],
    ['no Base64', body, { ...sign(), 'webhook-signature': 'v1,%%%' }],
    ['no time', body, { ...sign(), 'webhook-timestamp': 'now' }],
    ['no headers', body, {}],
  ])('rejects %s', async (_, text, headers) => {
    await expect(verifyWebhook(text, headers, secret)).rejects.toMatchObject({
      name: 'WebhookVerificationError',
    });
  });

  it('takes another tolerance, and no secret that is none', async () => {
    expect(await verifyWebhook(body, sign(minutesAgo(9)), secret, { tolerance: 600 })).toEqual(EVENT);
    await expect(verifyWebhook(body, sign(), '')).rejects.toThrow(TypeError);
  });
});
