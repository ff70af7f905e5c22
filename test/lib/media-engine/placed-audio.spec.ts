import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { placeVoice } from '../../../src/lib/media-engine/audio/place-voice.js';
import { writePeaks } from '../../../src/lib/media-engine/tracks/write-peaks.js';
import { LINUX } from '../../support/requirements.js';

const RATE = 16_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mrs-placed-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A file of these seconds: samples of one value, after silence. */
async function voice(silent: number, loud: number, value = 8_192): Promise<string> {
  const path = join(folder, 'voice.s16le');
  const samples = new Int16Array((silent + loud) * RATE).fill(value, silent * RATE);
  await writeFile(path, samples);
  return path;
}

/** Places it, and returns the first and the last second that are not silent, with the length of the file. */
async function placed(path: string, offset: number, length: number) {
  const target = join(folder, 'placed.s16le');
  const levels = await placeVoice(path, target, offset, length);
  const samples = new Int16Array(new Uint8Array(await readFile(target)).buffer);
  const heard = [samples.findIndex(Boolean), samples.findLastIndex(Boolean) + 1].map((at) => at / RATE);
  return { heard, seconds: samples.length / RATE, levels: [...levels], target };
}

describe('a voice on the time line of a recording', () => {
  it.each([
    ['later', 2.5, 10, [3.5, 5.5]],
    ['earlier, cut', -1.5, 10, [0, 1.5]],
    ['to the end, cut', 8, 10, [9, 10]],
    ['not at all, if it is over', -4, 10, [-1 / RATE, 0]],
    ['not at all, if it comes too late', 1e8, 10, [-1 / RATE, 0]],
  ])('is %s', async (_how, offset, length, heard) => {
    const result = await placed(await voice(1, 2), offset, length);
    expect(result.heard).toEqual(heard);
    expect(result.seconds).toBe(10);
  });

  it('has its levels', async () => {
    const { levels } = await placed(await voice(1, 2), 0.025, 4);
    expect(levels).toHaveLength(80);
    expect(levels.slice(0, 20).every((level) => level === 0)).toBe(true);
    expect(levels[20]).toBeCloseTo(0.25 / Math.SQRT2, 3);
    expect(levels[30]).toBeCloseTo(0.25, 3);
  });

  LINUX.it('takes no space on the disk where it is silent', async () => {
    const { target } = await placed(await voice(20, 1), 60, 3_600);
    expect((await stat(target)).blocks * 512).toBeLessThan(200_000);
  });
});

describe('the waveform of a track', () => {
  async function peaks(path: string, offset: number) {
    const target = join(folder, 'peaks.json');
    const { size } = await stat(path);
    await writePeaks({ path, length: size / 2, levels: [] }, offset, size / 2 / RATE, target);
    return JSON.parse(await readFile(target, 'utf8')) as { length: number; data: number[] };
  }

  it('is what audiowaveform writes, on the time line of the recording', async () => {
    const { data, ...header } = await peaks(await voice(1, 1, -8_192), 2);
    expect(header).toEqual({
      version: 2,
      channels: 1,
      sample_rate: 16_000,
      samples_per_pixel: 256,
      bits: 8,
      length: 250,
    });
    expect(data).toHaveLength(500);
    expect(data.slice(372, 380)).toEqual([0, 0, -32, 0, -32, 0, -32, 0]);
  });

  it('has at most 20,000 pairs, however late the track begins', async () => {
    const { length, data } = await peaks(await voice(0, 1), 43_200);
    expect(length).toBeLessThanOrEqual(20_000);
    expect(data.findIndex(Boolean)).toBe(2 * (length - 1) + 1);
  });

  it('begins with the recording if the track began earlier', async () => {
    expect((await peaks(await voice(1, 1), -0.5)).data.findIndex(Boolean)).toBe(2 * 31 + 1);
  });
});
