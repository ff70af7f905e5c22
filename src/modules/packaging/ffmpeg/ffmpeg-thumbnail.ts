import { join } from 'node:path';
import { pictureArguments, pcmArguments } from './ffmpeg-arguments.js';
import { FfmpegError, runFfmpeg } from './ffmpeg-process.js';
import type { MediaSize } from '../media-limits.js';
import { THUMBNAIL } from '../package-files.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import {
  showsSomething,
  THUMBNAIL_PLACES,
  thumbnailSize,
  WAVE_BARS,
  writePicture,
  writeWaveform,
  type Picture,
} from '../thumbnail.js';

/** Enough for a waveform. */
const AUDIO_RATE = 8000;

export interface ThumbnailOptions {
  readonly program: string;
  readonly source: string;
  /** Stream indexes. */
  readonly video: number | null;
  readonly audio: number | null;
  /** Size of the upright video in pixels. */
  readonly size: { readonly width: number; readonly height: number } | null;
  /** Seconds. */
  readonly duration: number;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Size of the original file that the source was produced from. */
  readonly media: MediaSize;
}

/** Writes the thumbnail; throws `UnplayableMediaError` when no frame can be decoded. */
export async function writeThumbnail(options: ThumbnailOptions): Promise<void> {
  const path = join(options.folder, THUMBNAIL);
  const { video, audio } = options;
  if (video !== null) return writePicture(await findPicture(options, video), path);
  if (audio !== null) return writeWaveform(await readPeaks(options, audio), path);
}

async function findPicture(options: ThumbnailOptions, stream: number): Promise<Picture> {
  let first: Picture | null = null;
  for (const place of [...THUMBNAIL_PLACES, 0]) {
    const picture = await readPicture(options, stream, place * options.duration);
    if (picture && (await showsSomething(picture))) return picture;
    first ??= picture;
  }
  if (!first) throw new UnplayableMediaError('The video is damaged: none of its frames can be decoded.');
  return first;
}

/** Null when there is no frame, or only a damaged one. */
async function readPicture(
  { program, source, folder, size: full, signal, media }: ThumbnailOptions,
  stream: number,
  at: number,
): Promise<Picture | null> {
  const size = thumbnailSize(full?.width ?? 1, full?.height ?? 1);
  const pieces: Buffer[] = [];
  const args = (path: string) => pictureArguments(path, stream, at, size);
  try {
    const onOutput = (piece: Buffer) => void pieces.push(piece);
    await runFfmpeg({ program, source, folder, args, signal, size: media, work: 'encode', onOutput });
  } catch (error) {
    if (!(error instanceof FfmpegError)) throw error;
  }
  const data = Buffer.concat(pieces);
  return data.length === size.width * size.height * 4 ? { data, ...size } : null;
}

async function readPeaks(
  { program, source, folder, duration, signal, media }: ThumbnailOptions,
  stream: number,
): Promise<number[]> {
  const peaks = Array.from({ length: WAVE_BARS }, () => 0);
  const samplesPerBar = Math.max(1, (duration * AUDIO_RATE) / WAVE_BARS);
  let count = 0;
  let rest: Buffer = Buffer.alloc(0);
  const onOutput = (piece: Buffer) => {
    const data = Buffer.concat([rest, piece]);
    const whole = data.length - (data.length % 4);
    for (let at = 0; at < whole; at += 4) {
      const bar = Math.min(WAVE_BARS - 1, Math.floor(count++ / samplesPerBar));
      peaks[bar] = Math.max(peaks[bar] ?? 0, Math.abs(data.readFloatLE(at)));
    }
    rest = data.subarray(whole);
  };
  const args = (path: string) => pcmArguments(path, stream, AUDIO_RATE);
  await runFfmpeg({ program, source, folder, args, signal, size: media, work: 'encode', onOutput });
  return peaks;
}
