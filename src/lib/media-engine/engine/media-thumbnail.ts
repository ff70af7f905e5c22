import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { measuredAudio } from '../audio/audio-format.js';
import { THUMBNAIL } from '../process/packager-messages.js';
import { UnplayableMediaError } from '../media.errors.js';
import { picture, samples } from './conversions.js';
import type { MediaTool } from './media-tool.js';
import {
  readConverted,
  unlessDamaged,
  type MediaTrack,
  type MediaTracks,
  type SourceMedia,
} from './source-media.js';
import { MEDIA_LIMITS } from '../media-limits.js';

const JPEG = { quality: 80, mozjpeg: true } as const;
/** Where to look for a frame, as fractions of the duration; the first one that is not blank is used. */
const PLACES = [0.1, 0.3, 0.5, 0.02, 0] as const;
/** Seconds of video to decode until there is a frame; key frames are less far apart. */
const LONGEST_SEARCH = 30;
const WAVE = {
  width: MEDIA_LIMITS.thumbnailWidth,
  height: 360,
  bars: 80,
  background: '#111827',
  bar: '#60a5fa',
} as const;

/** A file to make a thumbnail of; `size` is that of its video in pixels, `duration` is in seconds. */
interface ThumbnailSource {
  /** Not joined. */
  readonly media: SourceMedia;
  readonly tracks: MediaTracks;
  readonly size: { readonly width: number; readonly height: number } | null;
  readonly duration: number;
}

/** Writes a frame of the video or, if there is only audio, its waveform. */
export async function writeThumbnail(tool: MediaTool, source: ThumbnailSource): Promise<void> {
  const { video, audio } = source.tracks;
  const target = join(tool.folder, THUMBNAIL);
  if (video) await (await findPicture(tool, source, video)).removeAlpha().jpeg(JPEG).toFile(target);
  else if (audio) await writeWaveform(await readBars(tool, source.media, audio), target);
}

async function findPicture(tool: MediaTool, source: ThumbnailSource, video: MediaTrack): Promise<Sharp> {
  let first: Sharp | null = null;
  for (const place of PLACES) {
    const found = await readPicture(tool, source, video, place * source.duration);
    if (found && (await showsSomething(found))) return found;
    first ??= found;
  }
  if (!first) throw noFrames();
  return first;
}

export const noFrames = (): UnplayableMediaError =>
  new UnplayableMediaError('The video is damaged: none of its frames can be decoded.');

/** A frame of at most `thumbnailWidth`, never enlarged; null when there is none, or only a damaged one. */
async function readPicture(
  tool: MediaTool,
  { media, size }: ThumbnailSource,
  video: MediaTrack,
  from: number,
): Promise<Sharp | null> {
  const full = size ?? { width: 1, height: 1 };
  const scale = Math.min(1, MEDIA_LIMITS.thumbnailWidth / full.width);
  const [width, height] = [full.width, full.height].map((side) => Math.max(1, Math.round(side * scale)));
  if (!width || !height) return null;
  const output = picture('picture.rgba', video, width, height);
  const part = { from, frames: 1, until: LONGEST_SEARCH };
  const data = await unlessDamaged(readConverted(tool, media, output, part, (path) => readFile(path)));
  return data?.length === width * height * 4 ? sharp(data, { raw: { width, height, channels: 4 } }) : null;
}

/** The loudest level of each bar, 0 to 1. */
async function readBars(tool: MediaTool, media: SourceMedia, audio: MediaTrack): Promise<number[]> {
  const output = samples('sound.s16le', audio);
  const { levels } = await readConverted(tool, media, output, { until: Infinity }, (path) =>
    measuredAudio(path, Infinity),
  );
  const place = (bar: number): number => (bar * levels.length) / WAVE.bars;
  return Array.from({ length: WAVE.bars }, (_, bar) =>
    Math.max(0, ...levels.slice(Math.floor(place(bar)), Math.ceil(place(bar + 1)))),
  );
}

/** Neither black nor a single colour. */
async function showsSomething(found: Sharp): Promise<boolean> {
  const colours = (await found.stats()).channels.slice(0, 3);
  return colours.some(({ mean }) => mean > 16) && colours.some(({ stdev }) => stdev > 4);
}

/** Draws peaks (0 to 1) as bars, scaled to the loudest, so that quiet recordings also fill the height. */
async function writeWaveform(peaks: readonly number[], path: string): Promise<void> {
  const loudest = Math.max(0.01, ...peaks);
  const step = WAVE.width / peaks.length;
  const bars = peaks.map((peak, index) => {
    const height = Math.max(4, Math.min(1, peak / loudest) * WAVE.height * 0.8);
    const [x, y] = [(index + 0.2) * step, (WAVE.height - height) / 2];
    return `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${(step * 0.6).toFixed(1)}" height="${height.toFixed(1)}" rx="2"/>`;
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WAVE.width}" height="${WAVE.height}">` +
    `<rect width="100%" height="100%" fill="${WAVE.background}"/><g fill="${WAVE.bar}">${bars.join('')}</g></svg>`;
  await sharp(Buffer.from(svg)).jpeg(JPEG).toFile(path);
}
