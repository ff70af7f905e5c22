import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { measuredAudio } from '../audio/measured-audio.js';
import { THUMBNAIL } from '../package-files.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { picture, samples } from './conversions.js';
import type { MediaTool } from './media-tool.js';
import {
  readConverted,
  unlessDamaged,
  type MediaTrack,
  type MediaTracks,
  type SourceMedia,
} from './source-media.js';

const THUMBNAIL_WIDTH = 640;
const JPEG = { quality: 80, mozjpeg: true } as const;

/** Where to look for a frame, as fractions of the duration; the first one that is not blank is used. */
const PLACES = [0.1, 0.3, 0.5, 0.02, 0] as const;

const WAVE = { width: 640, height: 360, bars: 80, background: '#111827', bar: '#60a5fa' } as const;
/** Raw upright picture with 4 bytes per pixel; the fourth is ignored. */
interface Picture {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Seconds of video to decode until there is a frame; key frames are less far apart. */
const LONGEST_SEARCH = 30;

/** A file to make a thumbnail of; `size` is that of its video in pixels, `duration` is in seconds. */
export interface ThumbnailSource {
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
  if (video) {
    const found = await findPicture(tool, source, video);
    await raw(found).removeAlpha().jpeg(JPEG).toFile(target);
  } else if (audio) await writeWaveform(await readBars(tool, source.media, audio), target);
}

async function findPicture(tool: MediaTool, source: ThumbnailSource, video: MediaTrack): Promise<Picture> {
  let first: Picture | null = null;
  for (const place of PLACES) {
    const found = await readPicture(tool, source, video, place * source.duration);
    if (found && (await showsSomething(found))) return found;
    first ??= found;
  }
  if (!first) throw noFrames();
  return first;
}

export function noFrames(): UnplayableMediaError {
  return new UnplayableMediaError('The video is damaged: none of its frames can be decoded.');
}

/** Null when there is no frame, or only a damaged one. */
async function readPicture(
  tool: MediaTool,
  { media, size: full }: ThumbnailSource,
  video: MediaTrack,
  from: number,
): Promise<Picture | null> {
  const { width, height } = thumbnailSize(full?.width ?? 1, full?.height ?? 1);
  const output = picture('picture.rgba', video, width, height);
  const part = { from, frames: 1, until: LONGEST_SEARCH };
  const data = await unlessDamaged(readConverted(tool, media, output, part, (path) => readFile(path)));
  return data?.length === width * height * 4 ? { data, width, height } : null;
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

/** Width and height of a thumbnail: at most 640 wide, never enlarged, same aspect ratio. */
function thumbnailSize(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, THUMBNAIL_WIDTH / width);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Neither black nor a single colour. */
async function showsSomething(found: Picture): Promise<boolean> {
  const { channels } = await raw(found).stats();
  const colours = channels.slice(0, 3);
  return colours.some(({ mean }) => mean > 16) && colours.some(({ stdev }) => stdev > 4);
}

/** Draws peaks (0 to 1) as bars, scaled to the loudest, so that quiet recordings also fill the height. */
async function writeWaveform(peaks: readonly number[], path: string): Promise<void> {
  const loudest = Math.max(0.01, ...peaks);
  const step = WAVE.width / peaks.length;
  const bars = peaks.map((peak, index) => {
    const height = Math.max(4, Math.min(1, peak / loudest) * WAVE.height * 0.8);
    const x = (index + 0.2) * step;
    const y = (WAVE.height - height) / 2;
    return `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${(step * 0.6).toFixed(1)}" height="${height.toFixed(1)}" rx="2"/>`;
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WAVE.width}" height="${WAVE.height}">` +
    `<rect width="100%" height="100%" fill="${WAVE.background}"/><g fill="${WAVE.bar}">${bars.join('')}</g></svg>`;
  await sharp(Buffer.from(svg)).jpeg(JPEG).toFile(path);
}

const raw = ({ data, width, height }: Picture): Sharp => sharp(data, { raw: { width, height, channels: 4 } });
