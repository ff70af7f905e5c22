import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { diarizationModel } from '../../src/lib/speech/speech-model.js';
import { MixedVoices } from '../../src/lib/speech/mixed-voices.js';
import { loadSherpa } from '../../src/lib/speech/sherpa.js';
import { speakersOf } from '../../src/lib/speech/mixed-voices.js';
import { Diarization } from '../../src/lib/speech/speech.js';
import { diarizationDirectory, TONE } from '../support/diarization-models.js';
import { wav } from '../support/speech.js';

const TEST_MS = 240_000;
const HEADER_BYTES = 44;

const sine = (frequency: number, time: number): number => Math.sin(2 * Math.PI * frequency * time);
/** The two people whom the models of the test know. */
const low = (time: number): number => 0.1 * sine(300, time);
const high = (time: number): number => 0.1 * sine(TONE, time);

describe('the voices of a mix', () => {
  let directory: string;
  let voices: MixedVoices;
  beforeAll(async () => {
    directory = await diarizationDirectory();
    voices = new MixedVoices(loadSherpa(), diarizationModel(directory), 2);
  });
  afterAll(() => rm(directory, { recursive: true }));

  /** Who speaks when in such audio, and in how many blocks it is heard. */
  async function heard(seconds: number, sample: (time: number) => number) {
    const folder = await mkdtemp(join(tmpdir(), 'mrs-mix-'));
    try {
      const path = join(folder, 'audio.s16le');
      await writeFile(path, wav(seconds, sample).subarray(HEADER_BYTES));
      const blocks = [];
      for await (const block of voices.hear(path)) blocks.push(block);
      const { turns } = speakersOf(blocks.flat());
      expect(await readdir(folder)).toEqual(['audio.s16le']);
      return { blocks: blocks.length, turns };
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  it(
    'are the same speakers in every block of a long recording, with their times',
    async () => {
      const minutes = 6;
      const { blocks, turns } = await heard(60 * minutes, (time) => {
        if (time % 60 > 58) return 0;
        return Math.floor(time / 60) % 2 === 0 ? low(time) : high(time);
      });
      expect(blocks).toBe(2);
      const speakers = turns.map(({ speaker }) => speaker);
      expect(new Set(speakers).size).toBe(2);
      for (let minute = 0; minute < minutes; minute++) {
        const within = turns.filter(({ start, end }) => start < 60 * minute + 58 && end > 60 * minute);
        expect(new Set(within.map(({ speaker }) => speaker))).toEqual(new Set([speakers[0]! ^ (minute % 2)]));
        expect(Math.abs(within[0]!.start - 60 * minute)).toBeLessThan(0.5);
        expect(Math.abs(within.at(-1)!.end - (60 * minute + 58))).toBeLessThan(0.5);
      }
    },
    TEST_MS,
  );

  it.each([
    ['no audio', 0, () => 0],
    ['silence', 30, () => 0],
    ['a click', 30, (time: number) => (Math.abs(time - 12) < 0.002 ? 0.9 : 0)],
    ['a word at the end', 26, (time: number) => (time > 25.2 ? low(time) : 0)],
    ['less than a word', 0.125, low],
  ])(
    'are nobody in %s',
    async (_, seconds, sample) => {
      expect((await heard(seconds, sample)).turns).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'are bounded in noise at full volume',
    async () => {
      const { turns } = await heard(65, (time) => (sine(12_345.678 * time, time) > 0 ? 1 : -1));
      for (const { start, end } of turns) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(65);
        expect(end).toBeGreaterThan(start);
      }
    },
    TEST_MS,
  );

  it(
    'leave the confined process only when asked for, a direction for each speaker',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'mrs-mix-'));
      const diarization = new Diarization(diarizationModel(directory), 2);
      try {
        const path = join(folder, 'audio.s16le');
        const samples = wav(40, (time) => (time < 15 ? low(time) : high(time)));
        await writeFile(path, samples.subarray(HEADER_BYTES));
        const options = { folder, signal: new AbortController().signal };
        const unasked = await diarization.turnsIn({ path }, options);
        expect(unasked.voices).toEqual([]);
        const asked = await diarization.turnsIn({ path }, { ...options, wantsVoices: true });
        expect(asked.turns).toEqual(unasked.turns);
        expect(asked.voices.map(({ speaker, seconds }) => [speaker, Math.round(seconds)])).toEqual([
          [0, 25],
          [1, 15],
        ]);
        for (const { embedding } of asked.voices) {
          expect(Math.hypot(...embedding)).toBeCloseTo(1, 5);
        }
      } finally {
        await diarization.stop();
        await rm(folder, { recursive: true });
      }
    },
    TEST_MS,
  );
});
