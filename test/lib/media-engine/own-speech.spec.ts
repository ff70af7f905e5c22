import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keepOwnSpeech, keepRest } from '../../../src/lib/media-engine/audio/own-speech.js';

const RATE = 16_000;
let folder: string;

beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'mrs-own-speech-'))));
afterAll(() => rm(folder, { recursive: true }));

/** Writes tracks with a loudness (decibels) for each second. */
async function written(loudness: (readonly number[])[]): Promise<string[]> {
  const paths = loudness.map((_, track) => join(folder, `${track}`));
  for (const [track, levels] of loudness.entries()) {
    const samples = new Int16Array(levels.length * RATE).map(
      (_, index) => 32_767 * 10 ** (levels[Math.floor(index / RATE)]! / 20) * Math.sin(index / 10),
    );
    await writeFile(paths[track]!, samples);
  }
  return paths;
}

/** What is left of each second of tracks, `#` if all of it is. */
function leftIn(paths: readonly string[]): Promise<string[]> {
  return Promise.all(
    paths.map(async (path) => {
      const samples = new Int16Array(new Uint8Array(await readFile(path)).buffer);
      // Ends may stay for 150 ms.
      return Array.from({ length: samples.length / RATE }, (_, second) =>
        samples
          .subarray((second + 0.25) * RATE, (second + 0.75) * RATE)
          .some((sample) => Math.abs(sample) > 10)
          ? '#'
          : '.',
      ).join('');
    }),
  );
}

async function left(...loudness: (readonly number[])[]): Promise<string[]> {
  const paths = await written(loudness);
  await keepOwnSpeech(paths);
  return leftIn(paths);
}

it.each([
  // Both speak in the third second, nobody in the fifth.
  [
    'microphones of the same loudness',
    [-20, -32, -20, -20, -75],
    [-32, -20, -20, -32, -75],
    ['#.##.', '.##..'],
  ],
  ['soft crosstalk', [-20, -44, -20, -20, -75], [-44, -20, -20, -44, -75], ['#.##.', '.##..']],
  [
    'a microphone that is softer than the crosstalk of a loud one',
    [-20, -32, -20, -20, -75],
    [-50, -38, -38, -50, -85],
    ['#.##.', '.##..'],
  ],
  ['one who only listens', [-20, -20, -20, -20, -75], [-32, -32, -32, -32, -75], ['####.', '.....']],
  ['a track that ends early', [-20, -32, -20], [-32, -20, -20, -20], ['#.#', '.###']],
  ['soft recordings', [-65, -77, -65], [-77, -65, -65], ['#.#', '.##']],
] as const)('leaves what each says: %s', async (_, one, other, expected) => {
  expect(await left(one, other)).toEqual(expected);
});

it('leaves silence alone, which may take no space', async () => {
  expect(await left([-20, -20], [-200, -200])).toEqual(['##', '..']);
});

it('leaves in the mix what nobody says who has a track, if that is anything', async () => {
  const speech = Array<number>(5).fill(-20);
  const pause = Array<number>(5).fill(-75);
  const [mix = '', ...tracks] = await written([
    [...speech, ...speech, ...pause, ...speech],
    [...speech, ...pause, ...pause, ...pause],
    [...pause, ...pause, ...pause, ...speech],
  ]);
  expect(await keepRest(mix, tracks)).toBe(true);
  expect(await leftIn([mix])).toEqual(['.....#####..........']);
  const [whole = '', ...all] = await written([
    [...speech, ...pause],
    [...speech, ...pause],
  ]);
  expect(await keepRest(whole, all)).toBe(false);
});
