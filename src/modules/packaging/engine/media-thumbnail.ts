import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AUDIO_RATE } from '../audio/audio-format.js';
import { measuredAudio } from '../audio/measured-audio.js';
import { THUMBNAIL } from '../package-files.js';
import {
  showsSomething,
  THUMBNAIL_PLACES,
  thumbnailSize,
  WAVE_BARS,
  writePicture,
  writeWaveform,
  type Picture,
} from '../thumbnail.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { picture, PICTURE_FILE, samples, SOUND_FILE } from './conversions.js';
import type { MediaTool } from './media-tool.js';
import { inputsOf, type MediaTrack, type MediaTracks, type SourceMedia } from './source-media.js';

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
  for (const place of [...THUMBNAIL_PLACES, 0]) {
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
    const place = (bar: number): number => (bar * levels.length) / WAVE_BARS;
    return Array.from({ length: WAVE_BARS }, (_, bar) =>
      Math.max(0, ...levels.slice(Math.floor(place(bar)), Math.ceil(place(bar + 1)))),
    );
  } finally {
    await rm(file, { force: true });
  }
}
