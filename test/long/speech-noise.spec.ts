import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SpeechTranscriber } from '../../src/modules/pipeline/transcription/speech.transcriber.js';
import { speechModel } from '../../src/lib/speech/speech-model.js';
import type { Transcription } from '../../src/modules/pipeline/transcription/transcriber.js';

const RATE = 16_000;
const SECONDS = 240;
const TEST_MS = 240_000;

/** A sample, from -1 to 1, at a time in seconds. */
type Sound = (time: number) => number;

/** A generator of numbers from -1 to 1, the same in every run (mulberry32). */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

const tone = (hertz: number, time: number): number => Math.sin(2 * Math.PI * hertz * time);

function white(): Sound {
  const random = noise(1);
  return () => 0.1 * random();
}

/** Four chords, a second each, as of an organ. */
function chords(): Sound {
  const all = [
    [262, 330, 392],
    [220, 262, 330],
    [175, 220, 262],
    [196, 247, 294],
  ];
  return (time) => {
    const chord = all[Math.floor(time) % all.length] ?? [];
    const fade = Math.min(1, 10 * (time % 1), 10 * (1 - (time % 1)));
    return (
      (0.15 * fade * chord.reduce((sum, hertz) => sum + tone(hertz, time) + 0.3 * tone(2 * hertz, time), 0)) /
      2
    );
  };
}

describe('four minutes without speech', () => {
  let folder: string;
  let transcriber: SpeechTranscriber;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mrs-noise-'));
    transcriber = new SpeechTranscriber(speechModel(undefined), {
      threads: 2,
      keepsWords: false,
      contact: null,
    });
  });
  afterAll(async () => {
    await transcriber.onApplicationShutdown();
    await rm(folder, { recursive: true });
  });

  async function transcribed(sound: Sound): Promise<{ transcription: Transcription; progress: number[] }> {
    const path = join(folder, 'audio');
    const file = await open(path, 'w');
    for (let second = 0; second < SECONDS; second++) {
      await file.write(
        Int16Array.from({ length: RATE }, (_, index) => 32_767 * sound(second + index / RATE)),
      );
    }
    await file.close();
    const progress: number[] = [];
    const transcription = await transcriber.transcribe(
      {
        rate: RATE,
        duration: SECONDS,
        levelSeconds: 0.05,
        voices: [{ path, speaker: '' }],
        files: [],
      },
      {
        signal: new AbortController().signal,
        folder,
        draft: null,
        save: async (draft) => void progress.push(draft.progress),
      },
    );
    return { transcription, progress };
  }

  it.each([
    ['white noise', white],
    ['music, of which some is taken for speech at first', chords],
  ])(
    'have no words: %s',
    async (_, sound) => {
      const { transcription, progress } = await transcribed(sound());
      expect(transcription).toEqual({ language: null, segments: [], confidenceKnown: false });
      expect(progress.at(-1)).toBe(1);
    },
    TEST_MS,
  );

  it(
    'are done a hundred times as fast as they last when they are silent',
    async () => {
      const started = performance.now();
      const { transcription, progress } = await transcribed(() => 0);
      expect(performance.now() - started).toBeLessThan((1000 * SECONDS) / 100);
      expect(transcription).toEqual({ language: null, segments: [], confidenceKnown: false });
      expect(progress.at(-1)).toBe(1);
    },
    TEST_MS,
  );
});
