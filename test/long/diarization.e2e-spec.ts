import { readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, recording, user } from '../factories/workspace.js';
import { diarizationDirectory, segmentationModel } from '../support/diarization-models.js';
import { eventually, startService, type TestService } from '../support/service.js';
import { SAID, wordsOf } from '../support/speech.js';
import { twoVoices } from '../support/two-voices.js';

/** For a busy machine: speech is recognized at the lowest priority. */
const WITHIN_MS = 60_000;
const TEST_MS = 2 * WITHIN_MS;

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly speaker: string;
}

describe('SPEECH_DIARIZATION_DIR', () => {
  let service: TestService;
  let directory: string;
  let segmentation: string;
  let voices: Awaited<ReturnType<typeof twoVoices>>;

  beforeAll(async () => {
    directory = await diarizationDirectory();
    const folder = (await readdir(directory)).find((name) => !name.endsWith('.onnx'));
    segmentation = join(directory, folder!, 'model.onnx');
    voices = await twoVoices();
    service = await startService(
      { SPEECH_DIARIZATION_DIR: directory, SPEECH_THREADS: '2' },
      { worker: true },
    );
    await service.import({ users: [user('Ada')] });
  }, TEST_MS);
  afterAll(async () => {
    await service.stop();
    await rm(directory, { recursive: true });
  });

  const ada = () => service.api.as(keyOf('Ada'));

  async function transcribed(): Promise<{ path: string; segments: Segment[]; speakers: string[] }> {
    const made = recording('Ada', { media: 'voices.wav' });
    await service.import({ recordings: [made] }, { 'voices.wav': voices.media });
    const path = `/recordings/${made.id}`;
    expect((await ada().post(`${path}/transcription`)).status).toBe(202);
    const page = async () => (await ada().get(`${path}/transcript`)).body.data;
    await eventually(async () => expect((await page()).status).toBe('completed'), WITHIN_MS);
    return { path, ...(await page()) };
  }
  /** The first voice, and the second, in whose tone the recognizer mishears words. */
  const halves = (segments: readonly Segment[]) => [
    segments.filter(({ start }) => start < voices.second - 0.5),
    segments.filter(({ start }) => start >= voices.second - 0.5),
  ];
  const textOf = (segments: readonly Segment[]) => wordsOf(segments.map(({ text }) => text).join(' '));

  it(
    'keeps the words, without speakers, when a model is damaged',
    async () => {
      await truncate(segmentation, 500);
      try {
        const { segments, speakers } = await transcribed();
        expect(speakers).toEqual([]);
        expect(textOf(halves(segments)[0]!)).toEqual(wordsOf(SAID['jfk.flac']!));
      } finally {
        await writeFile(segmentation, segmentationModel());
      }
    },
    TEST_MS,
  );

  it(
    'numbers the speakers of a mixed recording, who can be named then',
    async () => {
      const { path, segments, speakers } = await transcribed();
      expect(speakers).toEqual(['Speaker 1', 'Speaker 2']);
      const [first, second] = halves(segments);
      expect(textOf(first!)).toEqual(wordsOf(SAID['jfk.flac']!));
      for (const { speaker } of first!) expect(speaker).toBe('Speaker 1');
      for (const { speaker } of second!) expect(speaker).toBe('Speaker 2');
      const renamed = await ada().patch(`${path}/transcript/speakers`, { from: 'Speaker 2', to: 'Katie' });
      expect(renamed.status).toBe(200);
      expect((await ada().get(`${path}/transcript`)).body.data.speakers).toEqual(['Speaker 1', 'Katie']);
    },
    TEST_MS,
  );
});
