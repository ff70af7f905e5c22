import { copyFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Detector, Sherpa } from '../../src/lib/speech/sherpa.js';
import { readVoice } from '../../src/lib/speech/voice-reader.js';

const RATE = 16_000;
const SECONDS = 78;
const SPOKEN = [
  [3, 9],
  [9.4, 14],
  [14.7, 21.3],
  // After a muted microphone, and then without any pause.
  [30.2, 34],
  [40, 75],
] as const;

/** A detector that takes whatever is loud for speech, and counts the samples that it gets. */
class LoudnessDetector implements Detector {
  static heard = 0;
  private found: { start: number; samples: Float32Array }[] = [];
  private position = 0;
  private since: number | null = null;

  acceptWaveform(window: Float32Array): void {
    // Not `expect`, which takes longer than reading the window.
    if (window.length !== 512) throw new Error(`A window of ${window.length} samples`);
    LoudnessDetector.heard += window.length;
    const loud = window.some((sample) => Math.abs(sample) > 0.1);
    if (loud) this.since ??= this.position;
    else this.flush();
    this.position += window.length;
  }
  flush(): void {
    if (this.since === null) return;
    this.found.push({ start: this.since, samples: new Float32Array(this.position - this.since) });
    this.since = null;
  }
  isEmpty(): boolean {
    return this.found.length === 0;
  }
  front(): { start: number; samples: Float32Array } {
    return this.found[0]!;
  }
  pop(): void {
    this.found.shift();
  }
  isDetected(): boolean {
    return this.since !== null;
  }
}

const sherpa = { Vad: LoudnessDetector } as unknown as Sherpa;

describe('the speech of a voice', () => {
  let folder: string;
  let path: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mrs-voice-'));
    path = join(folder, 'audio');
    const samples = new Int16Array(SECONDS * RATE).fill(200);
    for (const [start, end] of SPOKEN) samples.fill(9_000, start * RATE, end * RATE);
    samples.fill(0, 23 * RATE, 29 * RATE);
    await writeFile(path, samples);
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** To a millisecond. */
  const rounded = <Value>(value: Value): Value =>
    JSON.parse(
      JSON.stringify(value, (_, part: unknown) =>
        typeof part === 'number' ? Math.round(part * 1000) / 1000 : part,
      ),
    ) as Value;

  async function read(from: number, growing?: { readonly path: string }) {
    const passages = [];
    const options = { sherpa, detector: '', isOpen: growing !== undefined };
    const found = readVoice({ path, from, ...growing }, options);
    for await (const { passage, samples, position, isProvisional } of found) {
      const loud = samples.filter((sample) => sample > 0.1).length / RATE;
      passages.push({ passage, loud, position, ...(isProvisional && { isProvisional }) });
    }
    return passages;
  }

  it('is in passages, whose samples have all of it', async () => {
    const passages = await read(0);
    const speech = passages.filter(({ passage }) => passage !== null);
    expect(speech.reduce((sum, { loud }) => sum + loud, 0)).toBeCloseTo(6 + 4.6 + 6.6 + 3.8 + 35, 2);
    for (const { passage, loud, position } of speech) {
      expect(loud).toBeLessThanOrEqual(16);
      expect(position).toBe(passage!.audio.end);
    }
    // At last everything has been read.
    expect(passages.at(-1)).toEqual({ passage: null, loud: 0, position: SECONDS });
  });

  it('is the same after an interruption anywhere, which takes seconds to catch up', async () => {
    const all = await read(0);
    const ends = all.slice(0, -1).map(({ position }) => position);
    expect(ends.length).toBeGreaterThan(5);
    for (const [index, position] of ends.entries()) {
      LoudnessDetector.heard = 0;
      expect(rounded(await read(position))).toEqual(rounded(all.slice(index + 1)));
      expect(LoudnessDetector.heard / RATE).toBeLessThan(SECONDS - position + 8.1);
    }
  });

  it.each([2.5, 4, 7.3])(
    'is the same while the file grows by %d s at a time, and what has not ended is there at once',
    async (step) => {
      const growing = join(folder, `growing-${step}`);
      const heard: Awaited<ReturnType<typeof read>> = [];
      let position = 0;
      for (let seconds = step; seconds < SECONDS; seconds += step) {
        await copyFile(path, growing);
        await truncate(growing, Math.round(seconds * RATE) * 2);
        const found = await read(position, { path: growing });
        const ended = found.filter(({ isProvisional }) => !isProvisional);
        heard.push(...ended);
        position = ended.at(-1)!.position;
        const last = found.findLast(({ passage }) => passage !== null);
        // Its end is found in windows of 32 ms.
        const isSpeaking = [...SPOKEN].some(([start, end]) => start + 0.1 < seconds && seconds < end);
        if (isSpeaking) expect(last?.passage?.audio.end).toBeCloseTo(seconds, 0);
      }
      heard.push(...(await read(position)));
      const passagesOf = (all: typeof heard) => all.filter(({ passage }) => passage !== null);
      expect(rounded(passagesOf(heard))).toEqual(rounded(passagesOf(await read(0))));
    },
  );
});
