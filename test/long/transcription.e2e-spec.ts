import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { refusal, type Client } from '../support/client.js';
import { failing, silent } from '../support/openai-behaviours.js';
import { OpenAiServer } from '../support/openai-server.js';
import { TranscriptionsRoute } from '../support/openai-transcriptions.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { missingSpeechRuntime } from '../../src/lib/speech/speech-runtime.js';
import { INSTALLATION } from '../../src/policy/policy.service.js';
import type { Installation } from '../../src/policy/recording-access.js';
import { demoVideo } from '../support/uploads.js';

const KEY = 'sk-very-secret-0123456789';
const SAID = [
  { start: 0.4, end: 4.5, text: ' This is the depot, where all the bikes come in.' },
  { start: 4.5, end: 9.25, text: ' And this is the workshop.' },
];
const SEGMENTS = [
  {
    id: 0,
    start: 0.4,
    end: 4.5,
    text: 'This is the depot, where all the bikes come in.',
    speaker: '',
    confidence: expect.closeTo(0.82, 2),
  },
  {
    id: 1,
    start: 4.5,
    end: 9.25,
    text: 'And this is the workshop.',
    speaker: '',
    confidence: expect.closeTo(0.82, 2),
  },
];

describe('POST /recordings/:id/transcription', () => {
  const route = new TranscriptionsRoute();
  let server: OpenAiServer;
  let service: TestService;
  let ada: Client;
  let meeting: { id: string };

  beforeAll(async () => {
    server = await OpenAiServer.start(route);
    const settings = {
      TRANSCRIPTION_URL: server.url,
      TRANSCRIPTION_MODEL: 'whisper-1',
      TRANSCRIPTION_API_KEY: KEY,
    };
    service = await startService(settings, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
  });
  afterAll(async () => {
    await service.stop();
    await server.stop();
  });
  beforeEach(async () => {
    route.recognise = () => SAID;
    meeting = await imported({});
  });
  afterEach(() => {
    expect(server.failures).toEqual([]);
    server.reset();
    route.reset();
  });

  async function imported(
    overrides: object,
    files = { 'meeting.mp4': demoVideo() },
  ): Promise<{ id: string }> {
    const made = recording('Ada', { media: 'meeting.mp4', ...overrides });
    await service.import({ recordings: [made] }, files);
    return made;
  }
  const path = () => `/recordings/${meeting.id}`;
  const start = (body?: object) => ada.post(`${path()}/transcription`, body);
  const page = async () => (await ada.get(`${path()}/transcript`)).body.data;
  const ends = (status: string) => eventually(async () => expect((await page()).status).toBe(status));

  it('returns 202, sends the audio and completes with the transcript', async () => {
    const before = (await ada.get(path())).body.data.capabilities;
    expect(before).toMatchObject({ canStartTranscription: true, canRegenerateTranscription: false });
    const { status, body } = await start();
    expect(status).toBe(202);
    expect(body).toEqual({ data: { status: 'processing' } });
    await ends('completed');
    expect(await page()).toMatchObject({
      language: 'en',
      statusReason: null,
      speakers: [],
      segments: SEGMENTS,
    });
    expect(route.parts).toHaveLength(1);
    expect(route.parts[0]).toMatchObject({
      authorization: `Bearer ${KEY}`,
      fields: { model: 'whisper-1', response_format: 'verbose_json' },
    });
    // The depot walk is 18.35 seconds long, and not silent.
    expect(route.parts[0]!.duration).toBeCloseTo(18.35, 0);
    expect(route.parts[0]!.samples.some((sample) => Math.abs(sample) > 1_000)).toBe(true);
    const after = (await ada.get(path())).body.data.capabilities;
    expect(after).toMatchObject({ canStartTranscription: false, canRegenerateTranscription: true });
    // The recording is packaged at the same time.
    await eventually(async () => {
      expect(await readdir(join(service.dataDir, 'scratch'))).toEqual([]);
    });
  });

  it('passes the language of the recording to the server unless another one is requested', async () => {
    meeting = await imported({ language: 'nl' });
    await start();
    await ends('completed');
    expect(route.parts[0]?.fields).toMatchObject({ language: 'nl' });
    await start({ language: 'fr' });
    await eventually(async () => expect((await page()).language).toBe('fr'));
  });

  it('passes the requested language to the server', async () => {
    route.language = 'german';
    await start({ language: 'de' });
    await ends('completed');
    expect(route.parts[0]?.fields).toMatchObject({ language: 'de' });
    expect((await page()).language).toBe('de');
  });

  it('replaces the existing transcript when requested again', async () => {
    await start();
    await ends('completed');
    await ada.patch(`${path()}/transcript/segments/0`, { text: 'By hand' });
    const { revision } = await page();
    expect((await start()).status).toBe(202);
    await eventually(async () => expect((await page()).segments).toEqual(SEGMENTS));
    expect((await page()).revision).toBeGreaterThan(revision);
  });

  it('fails with a reason that reveals no secrets when the server rejects the request', async () => {
    server.always(failing(401, `Incorrect API key provided: ${KEY}`));
    await start();
    await ends('failed');
    const { statusReason, segments } = await page();
    expect(statusReason).toMatch(/.{10,}/);
    expect(statusReason).not.toContain(KEY);
    expect(statusReason).not.toContain('127.0.0.1');
    expect(segments).toEqual([]);
    const detail = (await ada.get(path())).body.data;
    expect(detail.transcription).toMatchObject({ status: 'failed', statusReason });
    expect(detail.capabilities).toMatchObject({ canStartTranscription: true });
  });

  it('keeps the existing transcript when a new attempt fails, and reports why', async () => {
    await start();
    await ends('completed');
    server.always(failing(404, 'The model `whisper-1` does not exist'));
    await start();
    await eventually(async () => expect((await page()).statusReason).toMatch(/.{10,}/));
    expect(await page()).toMatchObject({ status: 'completed', segments: SEGMENTS });
  });

  it('fails with a reason for a recording without audio', async () => {
    meeting = await imported({ media: 'notes.mp4' }, {
      'notes.mp4': Buffer.from('not a video at all'),
    } as never);
    await start();
    await ends('failed');
    expect((await page()).statusReason).toMatch(/.{10,}/);
    expect(route.parts).toEqual([]);
  });

  it('keeps a transcript imported meanwhile and stops the job', async () => {
    server.always(silent);
    await start();
    await eventually(async () => expect(server.requests.length).toBeGreaterThan(0));
    const put = await ada.request('PUT', `${path()}/transcript`, {
      body: { segments: [{ start: 0, end: 1, text: 'Sent' }] },
    });
    expect(put.status).toBe(200);
    await eventually(async () => {
      expect(await readdir(join(service.dataDir, 'scratch'))).toEqual([]);
    });
    expect(await page()).toMatchObject({ status: 'completed', segments: [{ text: 'Sent' }] });
  });

  it('stops when the recording is deleted', async () => {
    server.always(silent);
    await start();
    await eventually(async () => expect(server.requests.length).toBeGreaterThan(0));
    expect((await ada.delete(path())).status).toBe(200);
    await eventually(async () => {
      expect(await readdir(join(service.dataDir, 'scratch'))).toEqual([]);
      const [{ jobs }] = await service.dataSource.query(
        `SELECT count(*)::int AS jobs FROM graphile_worker.jobs WHERE task_identifier = 'transcription.transcribe'`,
      );
      expect(jobs).toBe(0);
    });
  });

  it.each([
    ['has no media', { media: null }, 'no media'],
    ['is not playable yet', { status: 'PROCESSING' }, 'PROCESSING'],
    ['failed', { status: 'ERROR' }, 'ERROR'],
  ])('returns 409 for a recording that %s', async (_, overrides, reason) => {
    meeting = await imported(overrides);
    const { status, body } = await start();
    expect(status).toBe(409);
    expect(body).toEqual(refusal('CONFLICT', expect.stringContaining(reason)));
    expect((await page()).status).toBe('not_started');
  });

  it.each([[{ language: 'klingon language' }], [{ language: '' }], [{ model: 'x' }]])(
    'rejects %j',
    async (body) => {
      const reply = await start(body);
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual(refusal('VALIDATION_ERROR'));
    },
  );

  it('accepts one of several concurrent requests', async () => {
    server.always(silent);
    const replies = await Promise.all([start(), start(), start()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
  });
});

describe('on a platform without speech recognition and without a server', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
    const installation: Partial<Installation> = { noTranscriber: missingSpeechRuntime('aix', 'ppc64') };
    Object.assign(service.app.get<Installation>(INSTALLATION), installation);
  });
  afterAll(() => service.stop());

  it('reports false capabilities, and the operation says why', async () => {
    const [none, done] = [
      recording('Ada', { media: 'meeting.mp4' }),
      recording('Ada', { media: 'meeting.mp4', transcript: { segments: [] } }),
    ];
    await service.import({ users: [user('Ada')], recordings: [none, done] }, { 'meeting.mp4': demoVideo() });
    const ada = service.api.as(keyOf('Ada'));
    for (const { id } of [none, done]) {
      const { capabilities } = (await ada.get(`/recordings/${id}`)).body.data;
      expect(capabilities).toMatchObject({ canStartTranscription: false, canRegenerateTranscription: false });
      const { status, body } = await ada.post(`/recordings/${id}/transcription`);
      expect(status).toBe(409);
      expect(body).toEqual(refusal('CONFLICT', expect.stringContaining('sherpa-onnx-aix-ppc64')));
    }
  });
});
