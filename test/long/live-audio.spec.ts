import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gapHeader } from '../../src/lib/media-engine/containers/entry-points.js';
import { extractAudio, extractPiece } from '../../src/lib/media-engine/media-engine.js';
import { UnplayableMediaError } from '../../src/lib/media-engine/media.errors.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';
import { liveSpeech } from '../support/speech.js';

const RATE = 16_000;
const SECONDS = 60;
const options = { signal: new AbortController().signal, onProgress: () => undefined };

describe.each(['webm', 'mp4'] as const)('the audio of a %s that is still growing', (format) => {
  describe('by the library', () => keepsItsContract(format, undefined));
  FFMPEG.describe('by the program', () => keepsItsContract(format, ffmpegPath));
});

describe('a file of nothing but entry points', () => {
  it.each([
    ['clusters', '1a45dfa3', '1f43b67584e7820000'],
    ['fragments', '0000001066747970', '000000107f6d6f6f66000000006d666864'],
    ['fragments of a gigabyte', '0000001066747970', '3fffffff6d6f6f66000000086d666864'],
  ])(
    'has an end: %s',
    async (_, header, point) => {
      const folder = await mkdtemp(join(tmpdir(), 'mrs-live-'));
      const source = join(folder, 'source');
      await writeFile(
        source,
        Buffer.concat([Buffer.from(header, 'hex'), Buffer.alloc(32 * 1024 ** 2, point, 'hex')]),
      );
      const extracted = extractPiece({ source, folder, from: 0, seconds: 100 }, options);
      const ending = await extracted.then(
        ({ entryPoints }) => entryPoints.length,
        (error: unknown) => error,
      );
      if (typeof ending === 'number') expect(ending).toBeLessThanOrEqual(10_000);
      else expect(ending).toBeInstanceOf(UnplayableMediaError);
      await rm(folder, { recursive: true });
    },
    60_000,
  );
});

/** The contract of pieces, with either program. */
function keepsItsContract(format: 'webm' | 'mp4', ffmpeg: string | undefined): void {
  let folder: string;
  let media: Buffer;
  let whole: Int16Array;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mrs-live-'));
    media = await liveSpeech(format, SECONDS, 'about-speech-sdk.flac');
    const path = await written('whole', media);
    const audio = await extractAudio({ source: path, folder: await newFolder() }, options);
    whole = samplesOf(await readFile(audio.path));
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true }));

  const samplesOf = (data: Buffer) => new Int16Array(new Uint8Array(data).buffer);
  const newFolder = () => mkdtemp(join(folder, 'work-'));
  async function written(name: string, data: Buffer): Promise<string> {
    const path = join(await newFolder(), name);
    await writeFile(path, data);
    return path;
  }

  /** The bytes up to `to`, without those from `header` to `from`. */
  async function withGap(header: number, from: number, to: number): Promise<string> {
    const path = await written('piece', media.subarray(0, header));
    await truncate(path, to);
    const file = await open(path, 'r+');
    if (from > header) await file.write(gapHeader(media, from - header), 0, 16, header);
    await file.write(media, from, to - from, from);
    await file.close();
    return path;
  }

  /** How alike a stretch of sound is to the whole from this sample on, give or take 15 ms: 1 if it is the same. */
  function likeness(stretch: Int16Array, from: number): number {
    let best = 0;
    for (let shift = -0.015 * RATE; shift <= 0.015 * RATE; shift++) {
      let [product, squares, others] = [0, 0, 0];
      for (const [place, sample] of stretch.entries()) {
        const other = whole[from + shift + place] ?? 0;
        product += sample * other;
        squares += sample ** 2;
        others += other ** 2;
      }
      best = Math.max(best, product / Math.sqrt(squares * others));
    }
    return best;
  }

  it('is that of the whole, from any entry point to any byte', async () => {
    const request = async (from: number, source: string, seconds = 1000) =>
      extractPiece({ source, folder: await newFolder(), ffmpeg, from, seconds }, options);
    const first = await request(0, await withGap(0, 0, Math.floor(media.length * 0.7)));
    const header = first.entryPoints[0]!.offset;
    expect(first.entryPoints.length).toBeGreaterThan(3);
    expect(first.duration).toBeCloseTo(SECONDS * 0.7, -1);
    for (const point of [first.entryPoints[1]!, first.entryPoints.at(-2)!]) {
      // Anywhere in what is being written.
      const to = Math.min(media.length, point.offset + 40_001);
      const piece = await request(point.offset, await withGap(header, point.offset, to));
      const begin = piece.start - first.start;
      expect(begin).toBeCloseTo(point.time - first.start, 1);
      expect(piece.entryPoints[0]).toEqual(point);
      const samples = samplesOf(await readFile(piece.path));
      expect(samples.length).toBe(piece.duration * RATE);
      // A decoder needs a moment to be right.
      const stretch = samples.subarray(RATE / 2, RATE * 1.5);
      expect(likeness(stretch, Math.round((begin + 0.5) * RATE))).toBeGreaterThan(0.98);
    }
    const cut = await request(0, await withGap(0, 0, media.length), 10);
    expect(cut.isCut).toBe(true);
    expect(cut.duration).toBeCloseTo(10, 0);
  }, 60_000);
}
