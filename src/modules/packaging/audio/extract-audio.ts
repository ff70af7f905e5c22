import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { samples } from '../engine/conversions.js';
import { scanMedia, type MediaScan } from '../engine/media-scan.js';
import type { MediaTool, ProbedMedia, ProbedStream } from '../engine/media-tool.js';
import { isDecodable, primaryStream } from '../engine/media-tracks.js';
import { isWithinLimits, maxDuration, requireWithinLimits, type MediaSize } from '../media-limits.js';
import type { PackageRequest } from '../packager.js';
import type { SourceFile } from '../source-file.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { AUDIO_RATE } from './audio-format.js';
import { measuredAudio, type AudioFile } from './measured-audio.js';
import {
  CHANNEL_NAMES,
  finishVoices,
  trackFile,
  type ExtractedFiles,
  type WrittenTrack,
} from './voice-files.js';
import { tracksToHear, type TrackLabel } from './who-speaks.js';

/** What extraction needs beside the file. */
export interface ExtractionTools {
  readonly tool: MediaTool;
  readonly inspect: (source: string) => Promise<SourceFile>;
  /** Called once the duration is known; the CPU budget depends on it. */
  readonly onSize: (size: MediaSize) => void;
  /** Fraction of the work done, 0 to 1. */
  readonly onProgress: (fraction: number) => void;
}

interface HeardStream extends TrackLabel {
  readonly stream: ProbedStream;
}

/** Seconds. Audio that starts later is preceded by silence. */
const ON_TIME = 0.02;
/** Seconds over the limit at which extraction stops, so that what is too long is noticed. */
const BEYOND = 1;

/**
 * Writes the audio of a media file in the format of `audio-format.ts`, with the timing that players use: gaps and a late
 * start are silence. Throws `UnplayableMediaError` when there is no audio, or none that can be decoded; a track that cannot
 * is left out if there are others.
 */
export async function extractAudio(
  { source, folder }: PackageRequest,
  { tool, inspect, onSize, onProgress }: ExtractionTools,
): Promise<ExtractedFiles> {
  const { size: bytes } = await stat(source);
  await inspect(source);
  const probed = await tool.probe(source);
  requireWithinLimits({ tracks: probed.streams.length }, bytes);
  const { heard, isSingle } = findStreams(probed, bytes);
  requireWithinLimits({ duration: probed.duration }, bytes);
  const streams = heard.map(({ stream }) => stream);
  const scan = await scanMedia(tool, source, probed, streams, bytes);
  onSize({ bytes, duration: scan.end });
  const written: WrittenTrack[] = [];
  let damage: unknown = new UnplayableMediaError('The audio is damaged: none of it can be decoded.');
  let split: readonly AudioFile[] = [];
  for (const [place, { stream, title, primary }] of heard.entries()) {
    const channels = isSingle && stream.channels === 2 ? CHANNEL_NAMES : [];
    const names = [trackFile(place), ...channels.map((name) => trackFile(place, name))];
    const onTime = (seconds: number) =>
      onProgress((place + Math.min(1, seconds / Math.max(scan.end, 0.001))) / heard.length);
    try {
      await write(tool, source, folder, { stream, scan, names, bytes, onTime });
      const [mix, left, right] = await Promise.all(
        names.map((name) => measuredAudio(join(folder, name), bytes)),
      );
      if (left && right) split = [left, right];
      const levels = left && right ? ([left.levels, right.levels] as const) : null;
      if (mix) written.push({ title, primary, mix, channels: levels });
    } catch (error) {
      // Damage to one track does not fail the others.
      if (!(error instanceof UnplayableMediaError)) throw error;
      damage = error;
    }
  }
  if (written.length === 0) throw damage;
  const result = await finishVoices(folder, written, () => Promise.resolve(split));
  onProgress(1);
  return result;
}

/** The audio streams that can be different participants, in the order of the file. */
function findStreams(
  probed: ProbedMedia,
  bytes: number,
): { readonly heard: readonly HeardStream[]; readonly isSingle: boolean } {
  const all = probed.streams.filter(({ kind }) => kind === 'audio');
  const primary = primaryStream(probed.streams, 'audio');
  if (!primary) throw new UnplayableMediaError('The recording has no audio.');
  if (!isDecodable(primary)) throw new UnplayableMediaError('The audio codec is not supported.');
  requireWithinLimits({ audio: primary }, bytes);
  const labelled = all.map((stream) => ({
    stream,
    primary: stream === primary,
    title: stream.title,
    language: stream.language,
  }));
  const heard = tracksToHear(labelled).filter(
    ({ stream, primary: isPrimary }) =>
      isPrimary || (isDecodable(stream) && isWithinLimits({ audio: stream }, bytes)),
  );
  return { heard, isSingle: all.length === 1 };
}

interface Writing {
  readonly stream: ProbedStream;
  readonly scan: MediaScan;
  readonly names: readonly string[];
  readonly bytes: number;
  readonly onTime: (seconds: number) => void;
}

/** Writes the mix of a track to the first name and, if there are three, its two channels to the others. */
function write(
  tool: MediaTool,
  source: string,
  folder: string,
  { stream, scan, names, bytes, onTime }: Writing,
): Promise<void> {
  const late = (scan.tracks.get(stream.index)?.start ?? 0) > ON_TIME;
  const outputs = names.map((name, place) => {
    // The layout is fixed, because it may change in the middle of a track.
    const mix = place === 0 ? 'anull' : `aformat=channel_layouts=stereo,pan=mono|c0=c${place - 1}`;
    return samples(name, stream, { sampleRate: AUDIO_RATE, mix, late });
  });
  return tool.convert(source, folder, {
    outputs,
    until: Math.min(scan.end, maxDuration(bytes)) + BEYOND,
    onTime,
  });
}
