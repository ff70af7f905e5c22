import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { packageMedia } from '../../src/lib/media-engine/media-engine.js';
import type { MediaPackage } from '../../src/lib/media-engine/process/packager-messages.js';
import { formatPath, REFUSED, TAKEN, type TakenFormat } from './formats.js';

const READER = fileURLToPath(new URL('read-formats.mjs', import.meta.url));
const AT_ONCE = 2;
/** Seconds; the delay of an encoder and one frame of video. */
const NEAR = { audio: 0.15, video: 0.25 };
/** What FFmpeg calls the codecs that are copied. */
const COPIED_CODECS: Record<string, string> = {
  'H.264': 'h264',
  VP9: 'vp9',
  AV1: 'av1',
  AAC: 'aac',
  Opus: 'opus',
};

/** What a player decodes. */
interface ReadFormat {
  readonly video: {
    readonly codec: string;
    readonly width: number;
    readonly height: number;
    readonly seconds: number;
  } | null;
  readonly audio: { readonly codec: string; readonly channels: number; readonly seconds: number } | null;
}

interface Packed {
  readonly made: MediaPackage;
  readonly folder: string;
}

interface ReadOutcome {
  readonly hls: ReadFormat;
  readonly file: ReadFormat;
  /** The share of packets found in the source. */
  readonly copied: Readonly<Record<'video' | 'audio', number | null>>;
}

/** The outcome of each format is the same with every packager; `only`: of these. */
export function packagesFormats(ffmpeg: string | undefined, only?: ReadonlySet<string>): void {
  const isMeant = ({ file }: { readonly file: string }): boolean => only?.has(file) ?? true;
  const formats = TAKEN.filter(isMeant);
  const packed = new Map<string, Packed | Error>();
  const outcomes = new Map<string, ReadOutcome>();
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'mrs-formats-'));
    const waiting = [...formats];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let format = waiting.shift(); format; format = waiting.shift()) {
          packed.set(format.file, await pack(format.file).catch((error: Error) => error));
        }
      }),
    );
    const made = [...packed].flatMap(([file, result]) =>
      result instanceof Error ? [] : [{ file, ...result }],
    );
    const read = await readAll(made);
    made.forEach(({ file }, at) => outcomes.set(file, read[at]!));
  }, 600_000);
  afterAll(() => rm(root, { recursive: true, force: true }));

  it.each(formats.map((format) => [nameOf(format), format] as const))('packages %s', async (_, format) => {
    const result = packed.get(format.file);
    if (!result || result instanceof Error) throw result ?? new Error('It was not packaged');
    const { made, folder } = result;
    const { hls, file, copied } = outcomes.get(format.file)!;
    expectNear(made.duration, format.seconds, 'audio');
    expectNotice(made.notice, format);
    for (const media of [hls, file]) expectTracks(media, format);
    for (const track of ['video', 'audio'] as const) {
      if (format[track] === null || format.claims) continue;
      if (format.copied.includes(track)) expect(copied[track]).toBeGreaterThan(0.5);
      else expect(copied[track]).toBeLessThan(0.2);
    }
    await expectPlaylists(join(folder, dirname(made.playlist)));
  });

  const unplayable = REFUSED.filter((format) => format.type.startsWith('video/') && isMeant(format));
  it.each(unplayable.map(({ file, reason }) => [file, reason]))(
    'refuses %s for good, saying why',
    async (file, reason) => {
      await expect(pack(file)).rejects.toMatchObject({
        name: 'UnplayableMediaError',
        message: expect.stringMatching(new RegExp(reason)),
      });
    },
  );

  async function pack(file: string): Promise<Packed> {
    const folder = await mkdtemp(join(root, 'package-'));
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    return { made: await packageMedia({ source: formatPath(file), folder, ffmpeg }, options), folder };
  }
}

/** Decodes all of them in one process. */
async function readAll(packed: readonly (Packed & { readonly file: string })[]): Promise<ReadOutcome[]> {
  const requests = packed.map(({ file, made, folder }) => {
    const source = formatPath(file);
    return {
      playlist: join(folder, made.playlist),
      file: made.video ? join(folder, made.video.path) : source,
      source,
    };
  });
  const { stdout } = await promisify(execFile)(process.execPath, [READER, JSON.stringify(requests)]);
  return JSON.parse(stdout) as ReadOutcome[];
}

function nameOf({ file, case: unusual, claims }: TakenFormat): string {
  if (unusual) return `${file} (${unusual})`;
  return claims ? `${file} as far as it goes, and says what is missing` : file;
}

function expectTracks({ video, audio }: ReadFormat, format: TakenFormat): void {
  const codec = (track: 'video' | 'audio', converted: string) =>
    format.copied.includes(track) ? COPIED_CODECS[format[track] ?? ''] : converted;
  const picture = { codec: codec('video', 'h264'), width: 128, height: 96 };
  if (format.video === null) expect(video).toBeNull();
  else expect(video).toMatchObject(picture);
  if (format.audio === null) expect(audio).toBeNull();
  else expect(audio).toMatchObject({ codec: codec('audio', 'aac') });
  // Of a truncated file, one track may end earlier than the other.
  if (format.claims) return;
  if (video) expectNear(video.seconds, format.seconds, 'video');
  if (audio) expectNear(audio.seconds, format.seconds, 'audio');
}

/** Nothing is missing, or both numbers are given: what there is, or what is missing, and what was claimed. */
function expectNotice(notice: string | null, { seconds, claims }: TakenFormat): void {
  if (claims === undefined) return expect(notice).toBeNull();
  const numbers = (notice ?? '').match(/\d+(\.\d+)?/g)?.map(Number) ?? [];
  const near = (expected: number) => numbers.some((number) => Math.abs(number - expected) <= 0.3);
  expect([notice, near(claims), near(seconds) || near(claims - seconds)]).toEqual([notice, true, true]);
}

/** Players divide by the target duration, and reject segments that are longer. */
async function expectPlaylists(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.m3u8')) continue;
    const playlist = await readFile(join(folder, name), 'utf8');
    const durations = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
    if (durations.length === 0) continue;
    const target = Number(/#EXT-X-TARGETDURATION:(\d+)/.exec(playlist)?.[1]);
    expect(target).toBeGreaterThanOrEqual(Math.max(1, ...durations.map(Math.round)));
  }
}

function expectNear(actual: number, expected: number, track: keyof typeof NEAR): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(NEAR[track]);
}
