import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import type { Client } from '../support/client.js';
import { LINUX } from '../support/requirements.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { repeatedSpeech, SAID, speechFile, speechProcesses, wav, wordsOf } from '../support/speech.js';

/** For a busy machine: speech is recognized at the lowest priority. */
const WITHIN_MS = 120_000;
const TEST_MS = 2 * WITHIN_MS;

describe('speech recognition without any setting', () => {
  let service: TestService;
  let ada: Client;
  /** Two people, then a speech, again and again: long enough to be suspended midway on a fast machine. */
  let long: string;

  beforeAll(async () => {
    service = await startService({ SPEECH_THREADS: '1' }, { worker: true });
    await service.import({ users: [user('Ada')] });
    ada = service.api.as(keyOf('Ada'));
    long = await imported('long.mp4', await repeatedSpeech(205, 'two-people.flac', 'jfk.flac'));
  }, TEST_MS);
  afterAll(() => service.stop());

  async function imported(name: string, media: Uint8Array, overrides: object = {}): Promise<string> {
    const made = recording('Ada', { media: name, ...overrides });
    await service.import({ recordings: [made] }, { [name]: media });
    return `/recordings/${made.id}`;
  }
  const detail = async (path: string) => (await ada.get(path)).body.data;
  const page = async (path: string, query = '') => (await ada.get(`${path}/transcript${query}`)).body.data;
  const start = async (path: string, body?: object) => {
    expect((await ada.post(`${path}/transcription`, body)).status).toBe(202);
  };
  const ends = (path: string, status: string) =>
    eventually(async () => expect((await page(path)).status).toBe(status), WITHIN_MS);

  /** Starts to transcribe, and suspends the process when the first words are there. */
  async function suspended(path: string): Promise<number> {
    await start(path);
    await eventually(async () => expect((await page(path)).segments).not.toEqual([]), WITHIN_MS);
    const [pid] = speechProcesses() as [number];
    process.kill(pid, 'SIGSTOP');
    expect((await page(path)).status).toBe('processing');
    return pid;
  }

  it(
    'returns the words with the times at which they were spoken',
    async () => {
      const path = await imported('jfk.flac', speechFile('jfk.flac'));
      expect((await detail(path)).capabilities).toMatchObject({
        canStartTranscription: true,
        canRegenerateTranscription: false,
      });
      await start(path);
      await ends(path, 'completed');
      const { segments, ...head } = await page(path);
      expect(head).toMatchObject({
        statusReason: null,
        language: 'en',
        confidenceKnown: false,
        speakers: [],
        pagination: { total_chunks: 1, has_more: false },
      });
      expect(wordsOf(segments.map(({ text }: { text: string }) => text).join(' '))).toEqual(
        wordsOf(SAID['jfk.flac']!),
      );
      for (const segment of segments) expect(segment).toMatchObject({ speaker: '', confidence: 1 });
      // The first and the last sound of the file above 2 % of full scale are at 0.30 and 10.60 s.
      expect(Math.abs(segments[0].start - 0.3)).toBeLessThan(0.3);
      expect(Math.abs(segments.at(-1).end - 10.6)).toBeLessThan(0.3);
      const { transcription, capabilities } = await detail(path);
      expect(transcription).toMatchObject({ status: 'completed', progress: 1 });
      expect(capabilities).toMatchObject({ canStartTranscription: false, canRegenerateTranscription: true });
    },
    TEST_MS,
  );

  LINUX.it(
    'shows the words so far while it is working',
    async () => {
      const pid = await suspended(long);
      const { progress } = (await detail(long)).transcription;
      expect(progress).toBeGreaterThan(0);
      expect(progress).toBeLessThan(1);
      const reply = await ada.get(`${long}/transcript`);
      const { segments, pagination, revision, duration } = reply.body.data;
      expect(segments[0]).toMatchObject({ id: 0, text: 'Good morning, Steve.' });
      expect(duration).toBe(Math.max(...segments.map(({ end }: { end: number }) => end)));
      expect(pagination).toEqual({ total_chunks: 1, has_more: false });
      expect((await page(long, '?start_chunk=1')).segments).toEqual([]);
      // What grows has no ETag, and none that a client may have is taken for it.
      expect(reply.headers.get('etag')).toBeNull();
      for (const tag of [`"${revision}"`, `W/"${revision}"`, '*']) {
        const again = await ada.get(`${long}/transcript`, { headers: { 'if-none-match': tag } });
        expect([tag, again.status, again.body.data.segments]).toEqual([tag, 200, segments]);
      }
      process.kill(pid, 'SIGCONT');
      const seen = [progress];
      await eventually(async () => {
        const { transcription } = await detail(long);
        seen.push(transcription.progress);
        expect(transcription).toMatchObject({ status: 'completed', statusReason: null });
      }, WITHIN_MS);
      expect(seen).toEqual(seen.toSorted((one, other) => one - other));
      expect(seen.at(-1)).toBe(1);
      const done = await ada.get(`${long}/transcript`);
      expect(done.body.data.segments.slice(0, segments.length)).toEqual(segments);
      expect(done.body.data.revision).toBeGreaterThan(revision);
      expect(done.headers.get('etag')).toBe(`"${done.body.data.revision}"`);
      expectPauses(done.body.data.segments);
    },
    TEST_MS,
  );

  /** The times of the two people: sounds above 2 % of full scale, with pauses of more than 0.4 s between them. */
  function expectPauses(segments: { start: number; end: number }[]): void {
    const measured = [
      [0.1, 0.95],
      [2, 2.85],
      [3.9, 11.35],
      [12.35, 20.25],
      [21.3, 23.7],
      [24.7, 25.5],
      [26.5, 28.55],
    ] as const;
    for (const [index, [begin, end]] of measured.entries()) {
      expect(Math.abs(segments[index]!.start - begin)).toBeLessThan(0.3);
      expect(Math.abs(segments[index]!.end - end)).toBeLessThan(0.3);
    }
  }

  LINUX.it(
    'ends its process when the recording is deleted',
    async () => {
      const pid = await suspended(long);
      expect((await ada.delete(long)).status).toBe(200);
      await eventually(async () => expect(speechProcesses()).not.toContain(pid));
    },
    TEST_MS,
  );

  it(
    'refuses other languages, naming the settings for them',
    async () => {
      const path = await imported('jfk.flac', speechFile('jfk.flac'));
      await start(path, { language: 'de' });
      await ends(path, 'failed');
      const { statusReason, segments } = await page(path);
      expect(statusReason).toMatch(/"de"/);
      expect(statusReason).toMatch(/TRANSCRIPTION_URL.*SPEECH_MODEL_DIR/);
      expect(segments).toEqual([]);
      expect((await detail(path)).capabilities).toMatchObject({ canStartTranscription: true });
    },
    TEST_MS,
  );

  it(
    'returns an empty transcript for silence',
    async () => {
      const silence = wav(5, () => 0);
      const path = await imported('silence.wav', silence);
      await start(path);
      await ends(path, 'completed');
      expect(await page(path)).toMatchObject({
        statusReason: 'No speech was found in the audio.',
        language: null,
        speakers: [],
        segments: [],
        duration: 0,
        pagination: { total_chunks: 0, has_more: false },
      });
      expect((await detail(path)).transcription.progress).toBe(1);
    },
    TEST_MS,
  );
});
