import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { AUDIO_RATE } from '../audio/audio-format.js';
import { measuredAudio } from '../audio/measured-audio.js';
import { THUMBNAIL } from '../package-files.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { picture, PICTURE_FILE, samples, SOUND_FILE } from './conversions.js';
import type { MediaTool } from './media-tool.js';
import { inputsOf, type MediaTrack, type MediaTracks, type SourceMedia } from './source-media.js';

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

/** Writes a frame of the video or, if there is only audio, its waveform into the folder. */
export async function writeThumbnail(
  tool: MediaTool,
  source: ThumbnailSource,
  folder: string,
): Promise<void> {
  const { video, audio } = source.tracks;
  const target = join(folder, THUMBNAIL);
  if (video) return writePicture(await findPicture(tool, source, video, folder), target);
  if (audio) return writeWaveform(await readBars(tool, source.media, audio, folder), target);
}

async function findPicture(
  tool: MediaTool,
  source: ThumbnailSource,
  video: MediaTrack,
  folder: string,
): Promise<Picture> {
  let first: Picture | null = null;
  for (const place of PLACES) {
    const found = await readPicture(tool, source, video, place * source.duration, folder);
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
  folder: string,
): Promise<Picture | null> {
  const size = thumbnailSize(full?.width ?? 1, full?.height ?? 1);
  const outputs = [picture(video, size.width, size.height)];
  const file = join(folder, PICTURE_FILE);
  try {
    await tool.convert(folder, { inputs: inputsOf(media), outputs, from, frames: 1, until: LONGEST_SEARCH });
    const data = await readFile(file);
    return data.length === size.width * size.height * 4 ? { data, ...size } : null;
  } catch (error) {
    if (!(error instanceof UnplayableMediaError)) throw error;
    return null;
  } finally {
    await rm(file, { force: true });
  }
}

/** The loudest level of each bar, 0 to 1. */
async function readBars(
  tool: MediaTool,
  media: SourceMedia,
  audio: MediaTrack,
  folder: string,
): Promise<number[]> {
  const outputs = [samples(SOUND_FILE, audio, { sampleRate: AUDIO_RATE, mix: 'anull' })];
  const file = join(folder, SOUND_FILE);
  try {
    await tool.convert(folder, { inputs: inputsOf(media), outputs, until: Infinity });
    const { levels } = await measuredAudio(file, Infinity);
    const place = (bar: number): number => (bar * levels.length) / WAVE.bars;
    return Array.from({ length: WAVE.bars }, (_, bar) =>
      Math.max(0, ...levels.slice(Math.floor(place(bar)), Math.ceil(place(bar + 1)))),
    );
  } finally {
    await rm(file, { force: true });
  }
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

async function writePicture(found: Picture, path: string): Promise<void> {
  const { width, height } = thumbnailSize(found.width, found.height);
  await raw(found).removeAlpha().resize(width, height, { fit: 'fill' }).jpeg(JPEG).toFile(path);
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
