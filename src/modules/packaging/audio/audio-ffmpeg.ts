import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { probe, SAFE_INPUT } from '../ffmpeg/ffmpeg-probe.js';
import { FfmpegError, runFfmpeg } from '../ffmpeg/ffmpeg-process.js';
import { maxDuration, tooLong } from '../media-limits.js';
import type { PackageOptions, PackageRequest } from '../packager.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import {
  LEVEL_SAMPLES,
  LEVELS_FILE,
  levelBytes,
  SAMPLE_BYTES,
  AUDIO_FILE,
  AUDIO_RATE,
} from './audio-format.js';
import { inspectSource } from '../source-file.js';

const MEDIA_AT_FAULT = /invalid data found|error while decoding|decoder not found|no decoder/i;
const FULL_SCALE = 32_767;
/** Mono; gaps and a late start become silence. */
const OUTPUT = `-ac 1 -ar ${AUDIO_RATE} -af aresample=async=1:first_pts=0 -f s16le`;
const QUIET = '-nostdin -hide_banner -v error -y -nostats -progress pipe:1';

/** Does the same as `extractAudio`, with an FFmpeg installed on the system; `ffprobe` must be next to it. */
export async function extractWithFfmpeg(
  ffmpeg: string,
  request: PackageRequest,
  { signal, onProgress }: PackageOptions,
): Promise<number> {
  signal.throwIfAborted();
  // Absolute, because a leading dash would be read as an option.
  const [source, folder] = [resolve(request.source), resolve(request.folder)];
  const file = await inspectSource(source);
  const ffprobe = ffmpeg.replace(/ffmpeg(?=[^/\\]*$)/, 'ffprobe');
  const { audio, size } = await probe(ffprobe, source, file, signal);
  if (audio === null) throw new UnplayableMediaError('The recording has no audio.');
  const target = join(folder, AUDIO_FILE);
  const input = [...SAFE_INPUT, '-fflags', '+discardcorrupt', '-i', source, '-map', `0:${audio}`];
  // Runs one second over the limit, which reveals what is too long.
  const longest = ['-t', (maxDuration(size.bytes) + 1).toFixed(3)];
  try {
    await runFfmpeg({
      program: ffmpeg,
      args: [...QUIET.split(' '), ...input, ...OUTPUT.split(' '), ...longest, target],
      signal,
      size,
      work: 'encode',
      onOutput: () => undefined,
    });
  } catch (error) {
    if (!(error instanceof FfmpegError) || !error.lines.some((line) => MEDIA_AT_FAULT.test(line)))
      throw error;
    throw new UnplayableMediaError('The audio is damaged: none of it can be decoded.', { cause: error });
  }
  const duration = await writeLevels(target, join(folder, LEVELS_FILE));
  if (duration > maxDuration(size.bytes)) throw tooLong(size.bytes);
  signal.throwIfAborted();
  onProgress(1);
  return duration;
}

/** Returns the duration of the audio in seconds. */
async function writeLevels(audio: string, target: string): Promise<number> {
  const levels: number[] = [];
  let length = 0;
  // Chunks hold whole levels, so that none is split.
  const pieces = createReadStream(audio, { highWaterMark: 40 * LEVEL_SAMPLES * SAMPLE_BYTES });
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    for (let from = 0; from < piece.length; from += LEVEL_SAMPLES * SAMPLE_BYTES) {
      levels.push(levelOf(piece.subarray(from, from + LEVEL_SAMPLES * SAMPLE_BYTES)));
    }
    length += piece.length / SAMPLE_BYTES;
  }
  const duration = length / AUDIO_RATE;
  if (length === 0) throw new UnplayableMediaError('The audio is damaged: none of it can be decoded.');
  await writeFile(target, levelBytes(levels), { mode: 0o600 });
  return duration;
}

function levelOf(samples: Buffer): number {
  let squares = 0;
  for (let offset = 0; offset + 1 < samples.length; offset += SAMPLE_BYTES) {
    squares += (samples.readInt16LE(offset) / FULL_SCALE) ** 2;
  }
  return Math.sqrt(squares / LEVEL_SAMPLES);
}
