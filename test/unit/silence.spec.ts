import { describe, expect, it } from '@jest/globals';
import { cutOnSilences, type Part } from '../../src/modules/transcription/silence.js';

const FRAME = 0.05;
const OPTIONS = { least: 300, most: 600 };

/** Levels of so many seconds, each with a level of its own. */
function sound(...stretches: [seconds: number, level: number][]): Float32Array {
  return Float32Array.from(
    stretches.flatMap(([seconds, level]) => Array.from({ length: Math.round(seconds / FRAME) }, () => level)),
  );
}

/** Rounded to a tenth of a second. */
function cut(levels: Float32Array, options = OPTIONS): [number, number][] {
  const round = (seconds: number) => Math.round(seconds * 10) / 10;
  return cutOnSilences(levels, FRAME, options).map(({ start, end }) => [round(start), round(end)]);
}

describe('cutting a recording', () => {
  it('leaves a short one whole', () => {
    expect(cut(sound([600, 0.2]))).toEqual([[0, 600]]);
  });

  it('has nothing to send of no sound', () => {
    expect(cut(new Float32Array(0))).toEqual([]);
    expect(cut(sound([3_600, 0]))).toEqual([]);
  });

  it('cuts in the middle of the longest pause between five and ten minutes', () => {
    const levels = sound([100, 0.2], [10, 0.004], [240, 0.2], [1, 0.004], [50, 0.2], [3, 0.004], [396, 0.2]);
    // 402.5 is the middle of the pause of 3 s; the one of 10 s comes too early.
    expect(cut(levels)).toEqual([
      [0, 402.5],
      [402.5, 800],
    ]);
  });

  it('knows a pause in a noisy room', () => {
    expect(cut(sound([350, 0.3], [2, 0.05], [400, 0.3]))).toEqual([
      [0, 351],
      [351, 752],
    ]);
  });

  it('cuts at the quietest place where nobody pauses', () => {
    expect(cut(sound([400, 0.2], [0.05, 0.15], [399.95, 0.2]))).toEqual([
      [0, 400],
      [400, 800],
    ]);
  });

  it('leaves enough for the last part', () => {
    // The longest pause is 10 s before the end.
    expect(cut(sound([595, 0.2], [3, 0.004], [12, 0.2]))[0]?.[1]).toBeLessThanOrEqual(310);
  });

  it('leaves out silence of more than half a minute, but for half a second at each end', () => {
    expect(cut(sound([40, 0], [60, 0.2], [31, 0], [20, 0.2], [29, 0], [10, 0.2], [90, 0]))).toEqual([
      [39.5, 100.5],
      [130.5, 190.5],
    ]);
  });

  it('sends the noise of a room: somebody may whisper', () => {
    expect(cut(sound([60, 0.001]))).toEqual([[0, 60]]);
  });

  it('covers everything said, in order, apart, in parts of the right length', () => {
    const random = generator(7);
    for (let round = 0; round < 200; round++) {
      const levels = randomSound(random);
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

function randomSound(random: () => number): Float32Array {
  const stretches = Array.from({ length: 1 + Math.floor(random() * 12) }, (): [number, number] => {
    const kind = random();
    if (kind < 0.2) return [random() * 80, 0];
    if (kind < 0.5) return [random() * 5, 0.002 * random()];
    return [random() * 150, 0.05 + 0.4 * random()];
  });
  return sound(...stretches).map((level) => level * (0.7 + 0.6 * random()));
}

/** Numbers from 0 to 1 that look random and are the same every time. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
