import { describe, expect, it } from '@jest/globals';
import type { Span as Part } from '../../../src/lib/speech/passages.js';
import { cutOnSilences } from '../../../src/modules/pipeline/transcription/silence.js';

const FRAME = 0.05;
const OPTIONS = { least: 300, most: 600 };

/** Levels for stretches of the given lengths, each at a constant level. */
function levelsOf(...stretches: [seconds: number, level: number][]): Float32Array {
  return Float32Array.from(
    stretches.flatMap(([seconds, level]) => Array.from({ length: Math.round(seconds / FRAME) }, () => level)),
  );
}

/** Parts rounded to a tenth of a second. */
function cut(levels: Float32Array, options = OPTIONS): [number, number][] {
  const round = (seconds: number) => Math.round(seconds * 10) / 10;
  return cutOnSilences(levels, FRAME, options).map(({ start, end }) => [round(start), round(end)]);
}

describe('splitting a recording', () => {
  it('keeps a short one whole', () => {
    expect(cut(levelsOf([600, 0.2]))).toEqual([[0, 600]]);
  });

  it('returns no parts for silence', () => {
    expect(cut(new Float32Array(0))).toEqual([]);
    expect(cut(levelsOf([3_600, 0]))).toEqual([]);
  });

  it('splits in the middle of the longest pause between five and ten minutes', () => {
    const levels = levelsOf(
      [100, 0.2],
      [10, 0.004],
      [240, 0.2],
      [1, 0.004],
      [50, 0.2],
      [3, 0.004],
      [396, 0.2],
    );
    // 402.5 is the middle of the 3 s pause; the 10 s pause is too early.
    expect(cut(levels)).toEqual([
      [0, 402.5],
      [402.5, 800],
    ]);
  });

  it('omits silence longer than half a minute, except half a second at each end', () => {
    expect(cut(levelsOf([40, 0], [60, 0.2], [31, 0], [20, 0.2], [29, 0], [10, 0.2], [90, 0]))).toEqual([
      [39.5, 100.5],
      [130.5, 190.5],
    ]);
  });

  it('keeps quiet noise, as somebody may whisper', () => {
    expect(cut(levelsOf([60, 0.001]))).toEqual([[0, 60]]);
  });

  it('covers all speech in ordered, disjoint parts of the right length', () => {
    const random = generator(7);
    for (let round = 0; round < 200; round++) {
      const levels = randomLevels(random);
      const options = { least: 20 + random() * 40, most: 0 };
      options.most = options.least * (2 + random());
      const parts = cutOnSilences(levels, FRAME, options);
      checkParts(levels, parts, options);
    }
  });
});

function checkParts(levels: Float32Array, parts: Part[], { least, most }: typeof OPTIONS): void {
  const covered = new Uint8Array(levels.length);
  parts.forEach(({ start, end }, place) => {
    const previous = parts[place - 1];
    expect(start).toBeGreaterThanOrEqual(previous?.end ?? 0);
    expect(end - start).toBeLessThanOrEqual(most + 1e-6);
    const cutsSpeech = parts[place + 1]?.start === end;
    if (cutsSpeech) expect(end - start).toBeGreaterThanOrEqual(least - FRAME);
    covered.fill(1, Math.round(start / FRAME), Math.round(end / FRAME));
  });
  expect(parts.at(-1)?.end ?? 0).toBeLessThanOrEqual(levels.length * FRAME + 1e-6);
  expect(levels.every((level, place) => level < 0.001 || covered[place] === 1)).toBe(true);
}

function randomLevels(random: () => number): Float32Array {
  const stretches = Array.from({ length: 1 + Math.floor(random() * 12) }, (): [number, number] => {
    const kind = random();
    if (kind < 0.2) return [random() * 80, 0];
    if (kind < 0.5) return [random() * 5, 0.002 * random()];
    return [random() * 150, 0.05 + 0.4 * random()];
  });
  return levelsOf(...stretches).map((level) => level * (0.7 + 0.6 * random()));
}

/** A seeded pseudorandom generator of numbers from 0 to 1. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
