import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { fileArguments } from './ffmpeg-arguments.js';
import { keyFrameGap, probe, type Probe } from './ffmpeg-probe.js';
import { FfmpegError, outputPath, runFfmpeg } from './ffmpeg-process.js';
import { writeThumbnail } from './ffmpeg-thumbnail.js';
import { maxDuration, tooLong } from '../media-limits.js';
import { Packager, type MediaPackage, type PackageOptions, type PackageRequest } from '../packager.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { runChild } from '../process/packager-child.js';
import { plan, type PackagingPlan } from '../mediabunny/packaging-plan.js';
import { mediaType } from '../source-file.js';
import { inspectInChild } from '../process/inspect-in-child.js';
import { PLAYLIST, THUMBNAIL } from '../package-files.js';

/** Progress, as a fraction of the whole, once the file is done and once the segments are. */
const SHARE = { file: 0.9, hls: 0.97 } as const;
/** Seconds of media in which progress covers two thirds of what remains, while the duration is unknown. */
const GUESSED_SECONDS = 900;
/** No file with any video or audio in it is smaller. */
const MIN_FILE_BYTES = 1024;

/** What FFmpeg prints when the media is at fault, rather than the disk or the machine. */
const MEDIA_AT_FAULT =
  /invalid data found|moov atom not found|error while decoding|could not find codec parameters|does not contain any stream|unknown decoder|decoder not found|no decoder|codec not currently supported in container/i;

type Report = (fraction: number) => void;

/**
 * Uses an FFmpeg installed on the system, which reads more formats and encodes better; `ffprobe` must be next to it. The
 * segments are still written by mediabunny, which needs no codecs for that, because FFmpeg's differ from version to
 * version.
 */
@Injectable()
export class FfmpegPackager extends Packager {
  private readonly ffprobe: string;

  constructor(private readonly ffmpeg: string) {
    super();
    this.ffprobe = ffmpeg.replace(/ffmpeg(?=[^/\\]*$)/, 'ffprobe');
  }

  override async package(request: PackageRequest, options: PackageOptions): Promise<MediaPackage> {
    options.signal.throwIfAborted();
    try {
      return await this.make(request, options.signal, monotonic(options.onProgress));
    } catch (error) {
      if (error instanceof FfmpegError && error.lines.some((line) => MEDIA_AT_FAULT.test(line))) {
        throw nothingRead(error);
      }
      throw error;
    }
  }

  private async make(
    request: PackageRequest,
    signal: AbortSignal,
    onProgress: Report,
  ): Promise<MediaPackage> {
    const { source, folder } = request;
    const file = await inspectInChild(request, signal);
    const found = await this.measured(request, await probe(this.ffprobe, request, file, signal), signal);
    const planned = plan(found.facts);
    const base = planned.file ? join(folder, planned.file.path) : source;
    if (planned.file) await this.makeFile(request, planned.file.path, found, planned, signal, onProgress);

    const from = planned.file ? SHARE.file : 0;
    const result = await runChild(
      { task: 'segment', source: base, folder },
      { signal, onProgress: (done) => onProgress(from + (SHARE.hls - from) * done) },
    );
    const { duration } = result;
    if (duration <= 0) throw nothingRead();

    const size = planned.video?.copy === false ? planned.video : found.facts.video;
    const streams = planned.file ? streamsInFile(found) : { video: found.video, audio: found.audio };
    if (duration > maxDuration(found.size.bytes)) throw tooLong(found.size.bytes);
    await writeThumbnail({
      program: this.ffmpeg,
      source: base,
      ...streams,
      size,
      duration,
      folder,
      signal,
      media: found.size,
    });
    onProgress(1);
    return {
      sourceType: mediaType(file, found.video !== null),
      duration,
      startedAt: file.startedAt,
      video: planned.file,
      playlist: PLAYLIST,
      thumbnail: THUMBNAIL,
    };
  }

  /** Adds the key frame interval, if the plan depends on it. */
  private async measured(request: PackageRequest, found: Probe, signal: AbortSignal): Promise<Probe> {
    const { facts } = found;
    if (found.video === null || !facts.video || !plan(facts).video?.copy) return found;
    const gap = await keyFrameGap(this.ffprobe, request, found, signal);
    return { ...found, facts: { ...facts, video: { ...facts.video, keyFrameGap: gap } } };
  }

  private async makeFile(
    { source, folder }: PackageRequest,
    name: string,
    found: Probe,
    planned: PackagingPlan,
    signal: AbortSignal,
    onProgress: Report,
  ): Promise<void> {
    let rest = '';
    const onOutput = (piece: Buffer) => {
      const lines = (rest + piece.toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const [, microseconds] = /^out_time_us=(\d+)/.exec(line) ?? [];
        if (microseconds === undefined) continue;
        onProgress(SHARE.file * fraction(Number(microseconds) / 1e6, found.size.duration));
      }
    };
    await runFfmpeg({
      program: this.ffmpeg,
      source,
      folder,
      args: (path) => fileArguments(path, outputPath(name), found, planned),
      outputs: [name],
      signal,
      size: found.size,
      work: 'encode',
      onOutput,
    });
    if ((await stat(join(folder, name))).size < MIN_FILE_BYTES) throw nothingRead();
  }
}

/** Video comes first, then audio. */
function streamsInFile({ video, audio }: Probe): { video: number | null; audio: number | null } {
  const streams = [video, audio].filter((stream) => stream !== null);
  const indexOf = (stream: number | null) => (stream === null ? null : streams.indexOf(stream));
  return { video: indexOf(video), audio: indexOf(audio) };
}

function fraction(time: number, duration: number | null): number {
  if (duration === null || duration <= 0) return 1 - Math.exp(-time / GUESSED_SECONDS);
  return Math.min(1, time / duration);
}

/** FFmpeg reports the time of the track that is furthest behind, which may decrease. */
function monotonic(report: Report): Report {
  let highest = 0;
  return (done) => {
    highest = Math.max(highest, done);
    report(highest);
  };
}

function nothingRead(cause?: Error): UnplayableMediaError {
  return new UnplayableMediaError('The file is damaged: nothing in it can be read.', { cause });
}
