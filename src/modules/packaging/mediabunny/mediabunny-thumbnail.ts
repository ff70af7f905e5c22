import { join } from 'node:path';
import {
  AudioSampleSink,
  VideoSampleSink,
  type AudioSample,
  type InputAudioTrack,
  type InputVideoTrack,
  type VideoSample,
} from 'mediabunny';
import type { Tracks } from './mediabunny-facts.js';
import { THUMBNAIL } from '../package-files.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { readable } from './pumps.js';
import {
  showsSomething,
  THUMBNAIL_PLACES,
  thumbnailSize,
  WAVE_BARS,
  writePicture,
  writeWaveform,
  type Picture,
} from '../thumbnail.js';

/** Four bytes per pixel. The declared type of the options lacks `format`, although it is supported. */
const PIXELS = { format: 'RGBX', rect: undefined };

/** At most this many seconds are decoded for each bar of the waveform. */
const MAX_BAR_SECONDS = 0.5;

/** Writes the thumbnail; `duration` is in seconds. Throws `UnplayableMediaError` when no frame can be decoded. */
export async function writeThumbnail(
  { video, audio }: Tracks,
  duration: number,
  folder: string,
): Promise<void> {
  const path = join(folder, THUMBNAIL);
  if (video) return writePicture(await findPicture(video, duration), path);
  if (audio) return writeWaveform(await readPeaks(audio, duration), path);
}

async function findPicture(track: InputVideoTrack, duration: number): Promise<Picture> {
  const sink = new VideoSampleSink(track);
  const start = Math.max(0, await track.getFirstTimestamp());
  let first: Picture | null = null;
  for (const place of THUMBNAIL_PLACES) {
    // Damaged positions are skipped.
    const sample = await sink.getSample(start + place * duration).catch(() => null);
    const picture = sample && (await toPicture(sample));
    if (picture && (await showsSomething(picture))) return picture;
    first ??= picture;
  }
  first ??= await firstPicture(sink);
  if (!first) throw new UnplayableMediaError('The video is damaged: none of its frames can be decoded.');
  return first;
}

async function firstPicture(sink: VideoSampleSink): Promise<Picture | null> {
  try {
    for await (const sample of sink.samples()) return await toPicture(sample);
  } catch {
    // The caller reports it.
  }
  return null;
}

/** Closes the sample. */
async function toPicture(sample: VideoSample): Promise<Picture> {
  try {
    const { width, height } = thumbnailSize(sample.displayWidth, sample.displayHeight);
    const upright = await sample.transform({ width, height, fit: 'fill' });
    try {
      const data = Buffer.alloc(upright.allocationSize(PIXELS));
      await upright.copyTo(data, PIXELS);
      return { data, width: upright.displayWidth, height: upright.displayHeight };
    } finally {
      upright.close();
    }
  } finally {
    sample.close();
  }
}

/** The peak of each part of the track; only the middle of a long part is decoded. */
async function readPeaks(track: InputAudioTrack, duration: number): Promise<number[]> {
  const sink = new AudioSampleSink(track);
  const start = Math.max(0, await track.getFirstTimestamp());
  const part = duration / WAVE_BARS;
  if (part <= MAX_BAR_SECONDS) return readAllPeaks(sink, start, part);
  const peaks: number[] = [];
  for (let bar = 0; bar < WAVE_BARS; bar++) {
    const from = start + bar * part + (part - MAX_BAR_SECONDS) / 2;
    peaks.push(await loudest(sink, from, from + MAX_BAR_SECONDS));
  }
  return peaks;
}

/** Decodes a short track completely, in one pass. */
async function readAllPeaks(sink: AudioSampleSink, start: number, part: number): Promise<number[]> {
  const peaks = Array.from({ length: WAVE_BARS }, () => 0);
  for await (const sample of readable(sink.samples())) {
    const bar = Math.max(0, Math.min(WAVE_BARS - 1, Math.floor((sample.timestamp - start) / part)));
    peaks[bar] = Math.max(peaks[bar] ?? 0, peakOf(sample));
    sample.close();
  }
  return peaks;
}

async function loudest(sink: AudioSampleSink, from: number, to: number): Promise<number> {
  let peak = 0;
  try {
    for await (const sample of sink.samples(from, to)) {
      peak = Math.max(peak, peakOf(sample));
      sample.close();
    }
  } catch {
    // A damaged part is drawn as silence.
  }
  return peak;
}

function peakOf(sample: AudioSample): number {
  const options = { planeIndex: 0, format: 'f32' } as const;
  const values = new Float32Array(sample.allocationSize(options) / Float32Array.BYTES_PER_ELEMENT);
  sample.copyTo(values, options);
  return values.reduce((peak, value) => Math.max(peak, Math.abs(value)), 0);
}
