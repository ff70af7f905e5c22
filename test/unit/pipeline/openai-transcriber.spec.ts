import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { twoLetterCode } from '../../../src/lib/language/language-codes.js';
import { OpenAiTranscriber } from '../../../src/modules/pipeline/transcription/openai.transcriber.js';
import type {
  RecordedAudio,
  TranscribeOptions,
  Transcription,
} from '../../../src/modules/pipeline/transcription/transcriber.js';
import type { FetchLimits } from '../../../src/platform/models/bounded-fetch.js';
import {
  answering,
  cutOff,
  endless,
  failing,
  raw,
  redirecting,
  silent,
  tooManyRequests,
} from '../../support/openai-behaviours.js';
import { OpenAiServer, sendJson } from '../../support/openai-server.js';
import { TranscriptionsRoute } from '../../support/openai-transcriptions.js';

const KEY = 'sk-very-secret-0123456789';

/** Hertz; that of the service would take most of the time here. */
const RATE: number = 1_000;

const route = new TranscriptionsRoute(RATE);
let server: OpenAiServer;
let folder: string;
/** Three seconds of noise. */
let short: RecordedAudio;
/** Six minutes of noise, a two-second pause, almost six minutes of noise. */
let long: RecordedAudio;
/** A minute of silence. */
let silence: RecordedAudio;

beforeAll(async () => {
  server = await OpenAiServer.start(route);
  folder = await mkdtemp(join(tmpdir(), 'mrs-transcriber-'));
  short = await makeAudio('short', [[3, 0.2]]);
  long = await makeAudio('long', [
    [360, 0.2],
    [2, 0],
    [350, 0.2],
  ]);
  silence = await makeAudio('silence', [[60, 0]]);
});

afterEach(() => {
  expect(server.failures).toEqual([]);
  server.reset();
  route.reset();
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Writes audio from consecutive stretches of seconds and loudness. */
async function makeAudio(name: string, stretches: readonly [number, number][]): Promise<RecordedAudio> {
  const path = join(folder, name);
  const duration = stretches.reduce((sum, [seconds]) => sum + seconds, 0);
  const samples = new Int16Array(duration * RATE);
  const levels = new Float32Array(duration * 20);
  let at = 0;
  for (const [seconds, loud] of stretches) {
    samples.fill(loud * 32_767, at * RATE, (at + seconds) * RATE);
    levels.fill(loud, at * 20, (at + seconds) * 20);
    at += seconds;
  }
  await writeFile(path, samples);
  const voices = [{ path, speaker: '', language: null, levels: () => Promise.resolve(levels) }];
  return { voices, files: voices, rate: RATE as RecordedAudio['rate'], duration, levelSeconds: 0.05 };
}

function transcriber(limits: Partial<FetchLimits> = {}): OpenAiTranscriber {
  return new OpenAiTranscriber(
    { url: server.url, model: 'whisper-1', apiKey: KEY },
    { firstWaitMs: 5, ...limits },
  );
}

function digest(samples: Int16Array | undefined): string {
  return createHash('sha256')
    .update(samples ?? '')
    .digest('hex');
}

/** A first attempt, of which nothing is saved. */
const FRESH: TranscribeOptions = {
  signal: new AbortController().signal,
  folder: tmpdir(),
  draft: null,
  save: async () => undefined,
};

function transcribe(audio: RecordedAudio, language?: string): Promise<Transcription> {
  return transcriber().transcribe(audio, {
    ...FRESH,
    language: language ?? null,
  });
}

/** The error for a recording of three seconds. */
async function refusal(limits: Partial<FetchLimits> = {}): Promise<{ name: string; message: string }> {
  const outcome = await transcriber(limits)
    .transcribe(short, FRESH)
    .catch((error: unknown) => error);
  const { name, message } = outcome as Error;
  return { name, message };
}

const heard = { language: 'english', duration: 3, text: 'Hello.' };
const segment = { start: 0, end: 1, text: 'Hello.' };

describe('a recording', () => {
  it('is sent in parts split at pauses, and joined with correct times', async () => {
    route.recognise = ({ duration }) =>
      duration === 361
        ? [
            { start: 0.5, end: 4, text: ' Good morning.' },
            { start: 350, end: 360, text: ' Let us begin.' },
          ]
        : [{ start: 2.25, end: 5.5, text: ' We go on.' }];

    const { segments } = await transcribe(long);

    expect(segments).toEqual([
      { start: 0.5, end: 4, text: 'Good morning.', speaker: '', confidence: 0.819 },
      { start: 350, end: 360, text: 'Let us begin.', speaker: '', confidence: 0.819 },
      { start: 363.25, end: 366.5, text: 'We go on.', speaker: '', confidence: 0.819 },
    ]);
    const all = new Int16Array(new Uint8Array(await readFile(long.files[0]!.path)).buffer);
    const [first, second] = route.parts.toSorted((one, other) => other.duration - one.duration);
    expect(route.parts).toHaveLength(2);
    expect(digest(first?.samples)).toBe(digest(all.slice(0, 361 * RATE)));
    expect(digest(second?.samples)).toBe(digest(all.slice(361 * RATE)));
  });

  it('with tracks is sent track by track, each in its language, and is named after them', async () => {
    const [ada, grace] = [
      await makeAudio('ada', [[3, 0.2]]),
      await makeAudio('grace', [
        [40, 0],
        [4, 0.2],
      ]),
    ];
    const files = [
      { ...ada.files[0]!, speaker: 'Ada', language: 'de-AT' },
      { ...grace.files[0]!, speaker: 'Grace' },
    ];
    route.recognise = ({ duration }) => [
      { start: duration - 2, end: duration - 1, text: 'Hello.', speaker: 'A' },
    ];
    const tracks = { ...grace, voices: files, files };
    const { segments } = await transcriber().transcribe(tracks, { ...FRESH, language: 'en' });
    expect(segments).toEqual([
      { start: 1, end: 2, text: 'Hello.', speaker: 'Ada', confidence: 0.819 },
      { start: 42, end: 43, text: 'Hello.', speaker: 'Grace', confidence: 0.819 },
    ]);
    const sent = route.parts.map(({ duration, fields }) => [duration, fields['language']]);
    expect(sent.toSorted()).toEqual([
      [3, 'de'],
      [4.5, 'en'],
    ]);
  });

  it('is sent in the OpenAI request format, with the key', async () => {
    await transcribe(short);
    expect(route.parts).toHaveLength(1);
    expect(route.parts[0]).toMatchObject({ duration: 3, authorization: `Bearer ${KEY}` });
    expect(route.parts[0]?.fields).toEqual({
      file: 'part.wav',
      model: 'whisper-1',
      response_format: 'verbose_json',
      'timestamp_granularities[]': ['segment'],
    });
  });

  it('is sent without a key when none is set, whatever the environment', async () => {
    process.env['OPENAI_API_KEY'] = 'sk-of-somebody-else';
    try {
      await new OpenAiTranscriber({ url: server.url, model: 'whisper-1' }).transcribe(short, FRESH);
    } finally {
      delete process.env['OPENAI_API_KEY'];
    }
    expect(route.parts[0]?.authorization).toBeUndefined();
  });

  it('is not sent when it is silent', async () => {
    expect(await transcribe(silence)).toEqual({ language: null, segments: [], confidenceKnown: false });
    expect(server.requests).toEqual([]);
  });

  it('has the requested language, sent to the server as a two-letter code', async () => {
    route.language = 'german';
    expect((await transcribe(short, 'de-AT')).language).toBe('de');
    expect(route.parts[0]?.fields['language']).toBe('de');
  });

  it('has the language of most of its duration', async () => {
    const mixed = await makeAudio('mixed', [
      [320, 0.2],
      [4, 0],
      [400, 0.2],
    ]);
    server.always((response, usual) => {
      const reply = usual as { duration: number };
      sendJson(response, 200, { ...reply, language: reply.duration > 350 ? 'French' : 'english' });
    });
    expect((await transcribe(mixed)).language).toBe('fr');
  });
});

describe('segments', () => {
  it('are sorted, clamped to the audio and deduplicated', async () => {
    route.recognise = () => [
      { start: 2, end: 2.5, text: 'third' },
      { start: -3, end: 0.4, text: 'first' },
      { start: 1, end: 0.2, text: 'second' },
      { start: 2, end: 2.5, text: 'third' },
      { start: 2.6, end: 20, text: 'last' },
      { start: 3.5, end: 4, text: 'behind the end' },
    ];
    const { segments } = await transcribe(short);
    expect(segments.map(({ start, end, text }) => [start, end, text])).toEqual([
      [0, 0.4, 'first'],
      [1, 1, 'second'],
      [2, 2.5, 'third'],
      [2.6, 3, 'last'],
    ]);
  });

  it('are dropped when Whisper itself reports no speech', async () => {
    route.recognise = () => [
      { start: 0, end: 1, text: 'Thank you for watching!', no_speech_prob: 0.61, avg_logprob: -1.1 },
      { start: 1, end: 2, text: 'Mumbled', no_speech_prob: 0.61, avg_logprob: -0.9 },
      { start: 2, end: 3, text: 'Unsure', no_speech_prob: 0.5, avg_logprob: -1.5 },
    ];
    const { segments } = await transcribe(short);
    expect(segments.map(({ text, confidence }) => [text, confidence])).toEqual([
      ['Mumbled', 0.407],
      ['Unsure', 0.223],
    ]);
  });

  it('keep the speaker if the server returns one', async () => {
    route.recognise = () => [
      { start: 0, end: 1, text: 'Hello', speaker: ' SPEAKER_00 ' },
      { start: 1, end: 2, text: 'Hello', speaker: 2 },
      { start: 2, end: 3, text: 'Hello', speaker: null },
    ];
    expect((await transcribe(short)).segments.map(({ speaker }) => speaker)).toEqual(['SPEAKER_00', '2', '']);
  });

  it('are storable single lines, or dropped', async () => {
    route.recognise = () => [
      { start: 0, end: 1, text: ' a\u0000b\r\n\u001b[31m\ud800 c ' },
      { start: 1, end: 2, text: ' \u0000\n' },
    ];
    expect((await transcribe(short)).segments.map(({ text }) => text)).toEqual(['a b [31m\ufffd c']);
  });

  it('may lack the confidence values of Whisper', async () => {
    server.next(
      answering({ segments: [{ start: 0, end: 1, text: 'Hello', avg_logprob: null, words: [{}] }] }),
    );
    expect(await transcribe(short)).toEqual({
      language: null,
      segments: [{ start: 0, end: 1, text: 'Hello', speaker: '', confidence: 1 }],
      confidenceKnown: false,
    });
  });
});

describe('a failing server', () => {
  it('is retried no earlier than its Retry-After', async () => {
    server.next(tooManyRequests('1'));
    const started = performance.now();
    expect((await transcribe(short)).segments).toHaveLength(1);
    expect(performance.now() - started).toBeGreaterThan(950);
    expect(server.requests).toHaveLength(2);
  });

  it('is retried after two errors and a truncated reply', async () => {
    server.next(failing(500, 'out of memory'), failing(503, 'loading the model'), cutOff);
    expect((await transcribe(short)).segments).toHaveLength(1);
    expect(server.requests).toHaveLength(4);
    expect(server.requests.every(({ body }) => body.length === server.requests[0]?.body.length)).toBe(true);
  });

  it.each([
    ['is down', [500, 500, 500, 500], 4],
    ['is down for an hour', [429], 1],
  ])('that %s is left to a later attempt', async (_, statuses, requests) => {
    const headers = requests === 1 ? { headers: { 'retry-after': '3600' } } : {};
    server.next(...statuses.map((status) => failing(status, `broken, says ${KEY}`, headers)));
    expect(await refusal()).toEqual({
      name: 'Error',
      message: `the transcription server failed: ${statuses[0]} broken, says …`,
    });
    expect(server.requests).toHaveLength(requests);
  });

  it('that never responds times out, without a retry', async () => {
    server.next(silent);
    expect((await refusal({ milliseconds: 300 })).message).toBe('Request timed out.');
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['waiting for a reply', silent],
    ['waiting to retry', tooManyRequests('30')],
  ])('does not delay a stop while %s', async (_, behaviour) => {
    server.always(behaviour);
    const stop = new AbortController();
    const reason = new Error('stopped');
    setTimeout(() => stop.abort(reason), 300);
    const started = performance.now();
    await expect(transcriber().transcribe(short, { ...FRESH, signal: stop.signal })).rejects.toBe(reason);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe('a server that rejects the request', () => {
  it.each([
    [failing(401, `Incorrect API key provided: ${KEY}`), 'rejected the API key'],
    [failing(403, 'No access'), 'rejected the API key'],
    [failing(404, 'The model does not exist'), 'found no such model or endpoint'],
    [
      failing(429, 'Quota', { code: 'insufficient_quota', headers: { 'retry-after': '3600' } }),
      'has no quota left for the API key',
    ],
    [failing(400, 'Unsupported response_format'), 'rejected the request (400): Unsupported response_format'],
    [failing(413, 'Too large'), 'rejected the request (413): Too large'],
    [
      raw('<html><h1>Bad\u0000Request</h1></html>', 'text/html', 400),
      'rejected the request (400): <html><h1>Bad Request</h1></html>',
    ],
    [redirecting('http://127.0.0.1:1/v1/audio/transcriptions'), 'redirected the request to another URL'],
  ])('is reported and not retried (%#)', async (behaviour, message) => {
    server.next(behaviour);
    expect(await refusal()).toEqual({
      name: 'RefusedError',
      message: `The transcription server ${message}.`,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('gets no more requests, and those in flight for other parts are aborted', async () => {
    let isUnderWay = (): void => undefined;
    const underWay = new Promise<void>((resolve) => (isUnderWay = resolve));
    const ended = new Promise((resolve) => {
      server.next(
        // The two bodies may arrive in either order: the error response waits for the other request.
        async (response, usual) => {
          await underWay;
          failing(400, 'No')(response, usual);
        },
        (response) => {
          response.once('close', resolve);
          isUnderWay();
        },
      );
    });
    const longer = await makeAudio('longer', [[25 * 60, 0.2]]);
    await expect(transcribe(longer)).rejects.toThrow('rejected the request (400): No');
    await ended;
    expect(server.requests).toHaveLength(2);
  });

  it('is quoted without keys, URLs and control characters, and shortened', async () => {
    server.next(
      failing(
        400,
        `\u001b[2J${KEY} of sk-other-key at ${server.url}/x or https://10.0.0.1/y\n${'a'.repeat(5_000_000)}`,
      ),
    );
    const { message } = await refusal({ bytes: 8_000_000 });
    expect(message).toMatch(
      /^The transcription server rejected the request \(400\): \[2J… of … at ….* or … a+…\.$/,
    );
    expect(message.length).toBeLessThan(260);
  });
});

describe('an invalid reply', () => {
  it.each([
    [
      'a web page',
      raw('<!doctype html><title>Sign in</title>', 'text/html'),
      'does not reply with JSON; is the URL that of its OpenAI interface?',
    ],
    ['null', raw('null'), 'does not follow the OpenAI interface (reply: must be an object)'],
    [
      'text without times',
      answering({ text: 'Hello.' }),
      'returns no timestamps; use a model that does, such as one of the Whisper family',
    ],
    [
      'times as text',
      answering({ ...heard, segments: [{ ...segment, start: '0' }] }),
      'does not follow the OpenAI interface (segments.0.start: must be a number)',
    ],
    [
      'times in milliseconds',
      answering({ ...heard, segments: [{ ...segment, start: 1000, end: 2000 }] }),
      'returns times after the end of the audio',
    ],
    [
      'a novel',
      answering({ ...heard, segments: [{ ...segment, text: 'word '.repeat(1_000) }] }),
      'returns more text than can be spoken in the time',
    ],
    [
      '50 MB of text',
      raw(JSON.stringify({ ...heard, text: 'x'.repeat(50_000_000) })),
      'returned a response that is too large',
    ],
    ['endless', endless, 'returned a response that is too large'],
  ])('is rejected permanently when it is %s', async (_, behaviour, message) => {
    server.next(behaviour);
    expect(await refusal()).toEqual({
      name: 'RefusedError',
      message: `The transcription server ${message}.`,
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['truncated JSON', '{"text":"Hello'],
    ['empty', ''],
    ['deeply nested', '['.repeat(1_000_000)],
  ])('is left to a later attempt when it is %s', async (_, body) => {
    server.next(raw(body));
    expect(await refusal()).toEqual({ name: 'Error', message: 'the transcription server sent broken JSON' });
  });
});

describe('a language', () => {
  it.each([
    ['english', 'en'],
    ['en', 'en'],
    ['pt_BR', 'pt'],
    ['nynorsk', 'nn'],
    ['iw', 'he'],
    ['klingon', null],
    ['', null],
  ])('%j is read as %j', (text, code) => {
    expect(twoLetterCode(text)).toBe(code);
  });
});
