import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { probe, SAFE_INPUT, type Probe, type ProbedAudio } from '../ffmpeg/ffmpeg-probe.js';
import { FfmpegError, outputPath, runFfmpeg } from '../ffmpeg/ffmpeg-process.js';
import { maxDuration, tooLong } from '../media-limits.js';
import type { PackageOptions, PackageRequest } from '../packager.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { LEVEL_SAMPLES, SAMPLE_BYTES, AUDIO_RATE, samplesOf } from './audio-format.js';
import type { AudioFile } from './audio-writer.js';
import { inspectInChild } from '../process/inspect-in-child.js';
import {
  CHANNEL_NAMES,
  finishVoices,
  trackFile,
  type ExtractedFiles,
  type WrittenTrack,
} from './voice-files.js';
import { tracksToHear } from './who-speaks.js';

const MEDIA_AT_FAULT = /invalid data found|error while decoding|decoder not found|no decoder/i;
const FULL_SCALE = 32_767;
const NO_AUDIO = 'The audio is damaged: none of it can be decoded.';
/** Gaps and a late start become silence. */
const FILLED = 'async=1:first_pts=0';
/** The last packet of a truncated file is itself truncated. */
const TOLERANT = ['-fflags', '+discardcorrupt'];
const QUIET = '-nostdin -hide_banner -v error -y -nostats -progress pipe:1';

/** What a run of FFmpeg needs. */
interface Run {
  readonly ffmpeg: string;
  readonly source: string;
  readonly folder: string;
  readonly size: Probe['size'];
  /** Of the CPU budget. */
  readonly cpuShare: number;
  readonly signal: AbortSignal;
}

/** Does the same as `extractAudio`, with an FFmpeg installed on the system; `ffprobe` must be next to it. */
export async function extractWithFfmpeg(
  ffmpeg: string,
  request: PackageRequest,
  { signal, onProgress }: PackageOptions,
): Promise<ExtractedFiles> {
  signal.throwIfAborted();
  const { source, folder } = request;
  const file = await inspectInChild(request, signal);
  const ffprobe = ffmpeg.replace(/ffmpeg(?=[^/\\]*$)/, 'ffprobe');
  const { audioTracks, size } = await probe(ffprobe, request, file, signal);
  const tracks = tracksToHear(audioTracks).filter(({ primary, usable }) => primary || usable);
  if (tracks.length === 0) throw new UnplayableMediaError('The recording has no audio.');
  const run = { ffmpeg, source, folder, size, cpuShare: 1 / tracks.length, signal };
  const written: WrittenTrack[] = [];
  let damage: unknown = null;
  let split: readonly AudioFile[] = [];
  for (const [place, track] of tracks.entries()) {
    const { title, primary } = track;
    const channels = audioTracks.length === 1 && track.channels === 2 ? CHANNEL_NAMES : [];
    const names = [trackFile(place), ...channels.map((name) => trackFile(place, name))];
    try {
      const [mix, left, right] = await write(run, track, names);
      if (left && right) split = [left, right];
      if (mix)
        written.push({ title, primary, mix, channels: left && right ? [left.levels, right.levels] : null });
    } catch (error) {
      // Damage to one track does not fail the others.
      if (!(error instanceof UnplayableMediaError)) throw error;
      damage ??= error;
    }
  }
  if (written.length === 0) throw damage;
  const result = await finishVoices(folder, written, () => Promise.resolve(split));
  signal.throwIfAborted();
  onProgress(1);
  return result;
}

/** Writes the mix of a track to the first name and, if there are three, its two channels to the others. */
async function write(
  { ffmpeg, source, folder, size, cpuShare, signal }: Run,
  { index }: ProbedAudio,
  names: readonly string[],
): Promise<AudioFile[]> {
  const outputs = names.length === 1 ? mixOf(index) : mixAndChannelsOf(index);
  // Runs one second over the limit, which reveals what is too long.
  const end = ['-f', 's16le', '-t', (maxDuration(size.bytes) + 1).toFixed(3)];
  const targets = names.flatMap((name, place) => [...(outputs.maps[place] ?? []), ...end, outputPath(name)]);
  try {
    await runFfmpeg({
      program: ffmpeg,
      source,
      folder,
      args: (path) => [
        ...QUIET.split(' '),
        ...SAFE_INPUT,
        ...TOLERANT,
        '-i',
        path,
        ...outputs.filters,
        ...targets,
      ],
      outputs: names,
      signal,
      size,
      work: 'encode',
      cpuShare,
      onOutput: () => undefined,
    });
  } catch (error) {
    if (!(error instanceof FfmpegError) || !error.lines.some((line) => MEDIA_AT_FAULT.test(line)))
      throw error;
    throw new UnplayableMediaError(NO_AUDIO, { cause: error });
  }
  const files: AudioFile[] = [];
  for (const name of names) files.push(await measured(join(folder, name), size.bytes));
  return files;
}

/** Arguments: filters for all outputs, and a selection for each. */
interface Outputs {
  readonly filters: readonly string[];
  readonly maps: readonly (readonly string[])[];
}

function mixOf(index: number): Outputs {
  const rate = ['-ac', '1', '-ar', String(AUDIO_RATE)];
  return { filters: [], maps: [['-map', `0:${index}`, ...rate, '-af', `aresample=${FILLED}`]] };
}

/** Resamples once for all three. The layout is fixed, because it may change in the middle of a track. */
function mixAndChannelsOf(index: number): Outputs {
  const graph = [
    `[0:${index}]aresample=${AUDIO_RATE}:${FILLED},aformat=channel_layouts=stereo,asplit=3[m][l][r]`,
    '[m]pan=mono|c0=0.5*c0+0.5*c1[mix]',
    '[l]pan=mono|c0=c0[left]',
    '[r]pan=mono|c0=c1[right]',
  ];
  const maps = ['[mix]', '[left]', '[right]'].map((name) => ['-map', name]);
  return { filters: ['-filter_complex', graph.join(';')], maps };
}

/** Throws `UnplayableMediaError` if the file is empty, or longer than a source of this many bytes may be. */
async function measured(path: string, bytes: number): Promise<AudioFile> {
  const levels: number[] = [];
  let length = 0;
  // Chunks hold whole levels, so that none is split.
  const pieces = createReadStream(path, { highWaterMark: 400 * LEVEL_SAMPLES * SAMPLE_BYTES });
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    const samples = samplesOf(piece);
    for (let from = 0; from < samples.length; from += LEVEL_SAMPLES) {
      levels.push(levelOf(samples, from));
    }
    length += samples.length;
  }
  if (length === 0) throw new UnplayableMediaError(NO_AUDIO);
  if (length / AUDIO_RATE > maxDuration(bytes)) throw tooLong(bytes);
  return { path, length, levels };
}

function levelOf(samples: Int16Array, from: number): number {
  const to = Math.min(samples.length, from + LEVEL_SAMPLES);
  let squares = 0;
  for (let place = from; place < to; place++) squares += (samples[place] as number) ** 2;
  return Math.sqrt(squares / LEVEL_SAMPLES) / FULL_SCALE;
}
