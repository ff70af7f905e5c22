import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { LINUX } from '../support/requirements.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { repeatedSpeech, speechFile, speechProcesses } from '../support/speech.js';

/** The turn of a transcription, and a moment. */
const TURN_MS = 32_000;
/** For a busy machine: speech is recognized at the lowest priority. */
const WITHIN_MS = 120_000;

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

LINUX.describe('a long transcription', () => {
  let service: TestService;
  /** Three minutes: the files last 96 s. */
  let threeMinutes: Uint8Array;
  beforeAll(async () => {
    service = await startService({ SPEECH_THREADS: '1' }, { worker: true });
    await service.import({ users: [user('Ada'), user('Grace')] });
    threeMinutes = await repeatedSpeech(180, 'two-people.flac', 'about-speech-sdk.flac', 'jfk.flac');
  });
  afterAll(() => service.stop());

  const api = (name: string) => service.api.as(keyOf(name));

  /** Imports a recording and starts to transcribe it. */
  async function started(owner: string, name: string, media: Uint8Array): Promise<string> {
    const made = recording(owner, { media: name });
    await service.import({ recordings: [made] }, { [name]: media });
    const path = `/recordings/${made.id}`;
    expect((await api(owner).post(`${path}/transcription`)).status).toBe(202);
    return path;
  }
  const page = async (owner: string, path: string) =>
    (await api(owner).get(`${path}/transcript?limit=100`)).body.data;

  it(
    'gives way to a short one of somebody else, and then continues where it was',
    async () => {
      const long = await started('Ada', 'long.mp4', threeMinutes);
      await eventually(async () => expect((await page('Ada', long)).segments).not.toEqual([]), WITHIN_MS);
      const [pid] = speechProcesses() as [number];
      process.kill(pid, 'SIGSTOP');
      const short = await started('Grace', 'short.flac', speechFile('jfk.flac'));
      await setTimeout(TURN_MS);
      process.kill(pid, 'SIGCONT');
      await eventually(async () => expect((await page('Grace', short)).status).toBe('completed'), WITHIN_MS);
      expect((await page('Ada', long)).status).toBe('processing');
      expect(speechProcesses()).toEqual([pid]);
      await eventually(async () => expect((await page('Ada', long)).status).toBe('completed'), WITHIN_MS);
      const segments: Segment[] = (await page('Ada', long)).segments;
      for (const [index, { start }] of segments.entries()) {
        expect(start).toBeGreaterThanOrEqual(segments[index - 1]?.end ?? 0);
      }
      const greetings = segments.filter(({ text }) => text.startsWith('Good morning, Steve'));
      expect(greetings.map(({ start }) => Math.floor(start / 90))).toEqual([0, 1]);
    },
    4 * WITHIN_MS,
  );
});
