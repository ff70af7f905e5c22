import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { extractAudio, type ExtractedAudio } from '../../src/lib/media-engine/media-engine.js';
import { childProcesses, makeMedia } from '../support/media.js';
import { until } from '../support/process.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';
import { MEDIA } from '../support/test-data.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let sources: string;
const folders: string[] = [];

beforeAll(async () => {
  sources = await makeMedia();
  await promisify(execFile)(process.execPath, [here('../support/make-audio.mjs'), sources]);
}, 120_000);

afterAll(async () => {
  for (const folder of [sources, ...folders]) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mrs-audio-'));
  folders.push(folder);
  return folder;
}

async function extractWith(
  program: string | undefined,
  path: string,
  signal = new AbortController().signal,
): Promise<ExtractedAudio> {
  const source = path.startsWith('/') ? path : join(sources, path);
  const folder = await newFolder();
  return extractAudio({ source, folder, ffmpeg: program }, { signal, onProgress: () => undefined });
}

async function samplesOf({ path }: ExtractedAudio): Promise<Int16Array> {
  return new Int16Array(new Uint8Array(await readFile(path)).buffer);
}

function expectLoud({ levels, levelSeconds }: ExtractedAudio, expected: readonly [number, number][]): void {
  const found: [number, number][] = [];
  levels.forEach((level, place) => {
    if (level < 0.1) return;
    const last = found.at(-1);
    const [start, end] = [place * levelSeconds, (place + 1) * levelSeconds];
    if (last && start - last[1] < 0.3) last[1] = end;
    else found.push([start, end]);
  });
  expect(found).toHaveLength(expected.length);
  expected.flat().forEach((time, place) => {
    expect(Math.abs((found.flat()[place] ?? Infinity) - time)).toBeLessThan(0.06);
  });
}

/** Frequency in Hz, by counting upward zero crossings. */
function pitch(samples: Int16Array, from: number, to: number): number {
  let rises = 0;
  for (let i = from * 16_000; i < to * 16_000; i++) {
    if ((samples[i] ?? 0) < 0 && (samples[i + 1] ?? 0) >= 0) rises += 1;
  }
  return rises / (to - from);
}

describe('the audio of a recording, by the library', () => keepsItsContract(undefined));
FFMPEG.describe('the audio of a recording, by the program', () => keepsItsContract(ffmpegPath));

/** The contract of extraction, with either program. */
function keepsItsContract(program: string | undefined): void {
  const extract = (path: string, signal?: AbortSignal) => extractWith(program, path, signal);

  it('is one channel of 16 kHz with the original timing, pitch and loudness', async () => {
    const audio = await extract('long.m4a');
    expectLoud(audio, [
      [0, 20],
      [23, 50],
      [60, 84],
    ]);
    expect(audio.duration).toBeCloseTo(84, 0);
    expect((await stat(audio.path)).size).toBe(Math.round(audio.duration * 16_000) * 2);
    expect(audio.levels.length).toBe(Math.ceil(audio.duration / 0.05));
    const samples = await samplesOf(audio);
    expect(pitch(samples, 40, 41)).toBeCloseTo(1_000, -1);
    // A sine wave of half the full amplitude.
    expect(audio.levels[800]).toBeCloseTo(0.5 / Math.SQRT2, 1);
  }, 60_000);

  it('is silent in gaps of the recording', async () => {
    const audio = await extract('gap.mkv');
    expectLoud(audio, [
      [0, 2],
      [7, 9],
    ]);
    expect((await samplesOf(audio)).subarray(3 * 16_000, 6 * 16_000).every((sample) => sample === 0)).toBe(
      true,
    );
  });

  it('is silent until a track with a late start', async () => {
    const audio = await extract('late-sound.mkv');
    expect([...audio.levels.subarray(0, 28)].every((level) => level === 0)).toBe(true);
    expect(audio.levels[35]).toBeGreaterThan(0.01);
    expect(audio.duration).toBeCloseTo(4, 1);
  });

  it.each([
    ['fast-start.mp4', 3],
    ['fragmented.mp4', 3],
    ['live.webm', 3],
    ['sound.wav', 3],
    ['paused.webm', 15],
  ])('keeps the beep of %s in position', async (name, duration) => {
    const audio = await extract(name);
    expectLoud(audio, [[1, 1.2]]);
    expect(Math.abs(audio.duration - duration)).toBeLessThan(0.15);
  });

  it('is upsampled from the 8 kHz of a telephone', async () => {
    const audio = await extract('telephone.wav');
    expectLoud(audio, [[1, 3]]);
    expect(pitch(await samplesOf(audio), 1.5, 2.5)).toBe(1_000);
  });

  it('continues after damaged parts', async () => {
    const bytes = await readFile(join(sources, 'long.m4a'));
    const middle = Math.floor(bytes.length / 2);
    bytes.fill(0xff, middle, middle + 2_000);
    await writeFile(join(sources, 'damaged.m4a'), bytes);
    const audio = await extract('damaged.m4a');
    expect(audio.duration).toBeCloseTo(84, 0);
    expect(audio.levels.filter((level) => level > 0.1).length / 20).toBeGreaterThan(68);
  }, 60_000);

  it.each([
    ['no-sound.mp4', 'The recording has no audio.'],
    ['no-index.mp4', 'The file is truncated: its index (moov) is missing. Upload the complete file.'],
  ])('of %s is rejected: %s', async (name, message) => {
    await expect(extract(name)).rejects.toMatchObject({ name: 'UnplayableMediaError', message });
  });

  it('is abandoned at once when aborted', async () => {
    const stop = new AbortController();
    const work = extract('long.m4a', stop.signal);
    const reason = new Error('stopped');
    await until('its process', () => process.platform !== 'linux' || childProcesses('').length > 0);
    stop.abort(reason);
    await expect(work).rejects.toBe(reason);
    expect(
      childProcesses('packager.process.js').filter(({ command }) => command.includes(String(process.pid))),
    ).toEqual([]);
  });

  for (const media of MEDIA) {
    media.it(`of the real ${media.name} is found`, async () => {
      const audio = await extract(media.path);
      expect(audio.duration).toBeCloseTo(media.seconds, 1);
      expect(Math.max(...audio.levels)).toBeGreaterThan(0.01);
    });
  }
}
