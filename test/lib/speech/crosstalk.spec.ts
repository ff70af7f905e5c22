import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Crosstalk } from '../../../src/lib/speech/voice-reader.js';

const RATE = 16_000;

describe('crosstalk', () => {
  let folder: string;
  let crosstalk: Crosstalk;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mrs-crosstalk-'));
    const voices = [
      // Ada speaks in the first second, both in the second, Grace in the third.
      await voice('ada', [0.5, 0.5, 0.05]),
      await voice('grace', [0.05, 0.4, 0.4]),
    ];
    crosstalk = await Crosstalk.between(voices.map((path) => ({ path })));
  });
  afterAll(async () => {
    await crosstalk.close();
    await rm(folder, { recursive: true });
  });

  /** A tone, with a loudness (0 to 1) for each second. */
  async function voice(name: string, loudness: readonly number[]): Promise<string> {
    const samples = new Int16Array(loudness.length * RATE);
    samples.forEach((_, index) => {
      const loud = loudness[Math.floor(index / RATE)] ?? 0;
      samples[index] = 32_767 * loud * Math.sin((2 * Math.PI * 200 * index) / RATE);
    });
    const path = join(folder, name);
    await writeFile(path, samples);
    return path;
  }

  it.each([
    // start, end, from Grace in Ada's voice, from Ada in Grace's voice
    [0, 1, false, true],
    [1, 2, false, false],
    [2, 3, true, false],
    [2.2, 2.9, true, false],
    [1.9, 3, true, false],
    [1.2, 2.4, false, false],
    // Beyond the end of the audio there is nothing.
    [3, 4, false, false],
  ])('from %d to %d s is in the first voice: %s, in the second: %s', async (start, end, first, second) => {
    expect(await crosstalk.isFromOther({ start, end }, 0)).toBe(first);
    expect(await crosstalk.isFromOther({ start, end }, 1)).toBe(second);
  });

  it('does not exist with a single voice', async () => {
    const alone = await Crosstalk.between([{ path: join(folder, 'ada') }]);
    expect(await alone.isFromOther({ start: 2, end: 3 }, 0)).toBe(false);
    await alone.close();
  });
});
