import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { extractAudio, type ExtractedAudio } from '../../src/lib/media-engine/media-engine.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let sources: string;
const folders: string[] = [];

beforeAll(async () => {
  sources = await newFolder();
  await promisify(execFile)(process.execPath, [here('../support/make-voices.mjs'), sources]);
}, 120_000);

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mrs-voices-'));
  folders.push(folder);
  return folder;
}

async function samplesIn(path: string): Promise<Int16Array> {
  return new Int16Array(new Uint8Array(await readFile(path)).buffer);
}

async function levelsIn(path: string): Promise<number[]> {
  const samples = await samplesIn(path);
  return Array.from({ length: Math.ceil(samples.length / 800) }, (_, place) => {
    const frame = samples.subarray(place * 800, (place + 1) * 800);
    return Math.sqrt(frame.reduce((sum, sample) => sum + (sample / 32_767) ** 2, 0) / 800);
  });
}

/**
 * Whether somebody speaks in each part of a recording of `make-voices.mjs`: Ada, Ben, both, Ada, Ben. Others are at
 * most audible as crosstalk.
 */
function spokenIn(levels: ArrayLike<number> = []): boolean[] {
  const parts = [
    [0.3, 2.9],
    [3.3, 5.9],
    [6.1, 6.9],
    [7.2, 8.9],
    [9.3, 11.8],
  ] as const;
  return parts.map(([from, to]) => Math.max(...Array.from(levels).slice(from * 20, to * 20)) > 0.05);
}

/**
 * Expects audio between these seconds, and silence elsewhere. AAC encoders add a delay of 21 ms, and each level covers
 * 50 ms.
 */
describe('who speaks in a recording, by the library', () => tellsPeopleApart(undefined));
FFMPEG.describe('who speaks in a recording, by the program', () => tellsPeopleApart(ffmpegPath));

/** The contract of voices, with either program. */
function tellsPeopleApart(program: string | undefined): void {
  async function extract(name: string): Promise<ExtractedAudio> {
    return extractAudio(
      { source: join(sources, name), folder: await newFolder(), ffmpeg: program },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
  }

  it.each([
    ['tracks with titles', 'titles.mkv', ['Ada Lovelace', `Ben${'n'.repeat(197)}`]],
    ['tracks without titles', 'no-titles.mp4', ['Speaker 1', 'Speaker 2']],
    ['tracks of which one has a title', 'handlers.mkv', ['Speaker 1', 'Ben']],
    ['tracks beside their mix', 'mix.mkv', ['Microphone', 'Desktop']],
    ['tracks beside a silent one', 'silent-first.mp4', ['Speaker 1', 'Speaker 2']],
    ['tracks beside a damaged one', 'damaged-track.mp4', ['Speaker 1', 'Speaker 2']],
    ['a track that starts late', 'late.mkv', ['Speaker 1', 'Speaker 2']],
    ['the channels of an interview', 'interview.m4a', ['Speaker 1', 'Speaker 2']],
    ['channels with crosstalk', 'crosstalk.m4a', ['Speaker 1', 'Speaker 2']],
  ])('has a voice for each person in %s', async (_what, name, speakers) => {
    const audio = await extract(name);
    expect(audio.voices.map(({ speaker }) => speaker)).toEqual(speakers);
    const [ada, ben] = await Promise.all(audio.voices.map(({ path }) => levelsIn(path)));
    expect(spokenIn(ada)).toEqual([true, false, true, true, false]);
    expect(spokenIn(ben)).toEqual([false, true, true, false, true]);
    expect(spokenIn(audio.levels)).toEqual([true, true, true, true, true]);
    expect(ben).toHaveLength(audio.levels.length);
    expect(await readdir(dirname(audio.path))).toHaveLength(4);
  });

  it.each([
    ['a room in stereo', 'room.m4a'],
    ['one channel beside a silent one', 'one-channel.m4a'],
    ['one channel beside noise', 'hiss.m4a'],
    ['channels of which one has a single second', 'brief.m4a'],
    ['channels of one of several tracks', 'two-stereo.mp4'],
    ['copies of a track', 'copy.mp4'],
    ['tracks in different languages', 'dubbed.mkv'],
    ['more than eight tracks', 'nine.mkv'],
  ])('has one voice in %s', async (_what, name) => {
    const audio = await extract(name);
    expect(audio.voices).toEqual([{ path: audio.path, speaker: '' }]);
    expect((await readdir(dirname(audio.path))).sort()).toEqual(['audio.s16le', 'levels.f32le']);
  });

  it('hears the primary track if others are in different languages', async () => {
    expect(spokenIn((await extract('dubbed.mkv')).levels)).toEqual([true, false, true, true, false]);
  });

  it('hears all files that were joined, with the same voices', async () => {
    const file = await readFile(join(sources, 'titles.mkv'));
    await writeFile(join(sources, 'joined.mkv'), Buffer.concat([file, file]));
    const [once, audio] = [await extract('titles.mkv'), await extract('joined.mkv')];
    expect(audio.voices.map(({ speaker }) => speaker)).toEqual(once.voices.map(({ speaker }) => speaker));
    expect(audio.duration).toBeCloseTo(2 * once.duration, 0);
    const [ada] = await Promise.all(audio.voices.map(({ path }) => levelsIn(path)));
    const second = Math.round(once.duration * 20);
    expect(spokenIn(ada)).toEqual([true, false, true, true, false]);
    expect(spokenIn(ada?.slice(second))).toEqual([true, false, true, true, false]);
  });

  it('hears everyone if there are too many tracks to tell them apart', async () => {
    expect(spokenIn((await extract('nine.mkv')).levels)).toEqual([true, true, true, true, true]);
  });
}
