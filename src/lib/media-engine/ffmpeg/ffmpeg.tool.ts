import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { limitedCommand } from '../../processes/confined-command.js';
import {
  holdsSamples,
  urlOf,
  type Conversion,
  type MediaPart,
  type MediaTool,
  type ProbedMedia,
  type ScannedPacket,
} from '../engine/media-tool.js';
import { tooMuchCpu } from '../media-limits.js';
import { CrashError, isCrash, UnplayableMediaError } from '../media.errors.js';
import { conversionArguments, headerArguments, packetArguments, WHOLE_PACKETS } from './ffmpeg-arguments.js';
import { parseHeader, parsePacket } from './ffmpeg-probe.js';

/** What FFmpeg prints when the disk or the machine is at fault, rather than the media. */
const MACHINE_AT_FAULT =
  /no space left|cannot allocate memory|input\/output error|too many open files|resource temporarily unavailable|no such file/i;
const SHOWN_ERROR_LINES = 3;
const KEPT_ERROR_CHARACTERS = 4_000;

/** FFmpeg catches SIGXCPU, which it gets at its CPU limit, and exits with 255, or with 123 after more than three. */
const LIMIT_STATUSES: ReadonlySet<number | null> = new Set([255, 123]);
/** Exit statuses of shells and similar programs for one that is missing or not executable. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);

/** FFmpeg or ffprobe failed. `lines` are the last lines of its error output. */
class FfmpegError extends Error {
  /** A retry makes sense, unless the media is at fault. */
  readonly mayPass = true;

  constructor(
    readonly reason: string,
    readonly lines: readonly string[] = [],
  ) {
    super([`FFmpeg ${reason}`, ...lines.slice(-SHOWN_ERROR_LINES)].join(': '));
    this.name = 'FfmpegError';
  }

  /** Whether the program gave up for another reason than those of its machine. */
  get isMediaAtFault(): boolean {
    return this.reason.includes('status') && !this.lines.some((line) => MACHINE_AT_FAULT.test(line));
  }
}

interface FfmpegRun {
  readonly program: string;
  readonly args: readonly string[];
  /** CPU time that it may use, for a source of this many bytes. */
  readonly cpuSeconds: number;
  readonly bytes: number;
  /** Receives standard output as it arrives. */
  readonly onOutput: (piece: Buffer) => void;
}

/** FFmpeg as a program installed on the system, for the packager's child process; `ffprobe` must be next to it. */
export class FfmpegTool implements MediaTool {
  private readonly ffprobe: string;
  /** Options for opening the source; known once it has been probed. */
  private input: readonly string[] = WHOLE_PACKETS;

  constructor(
    readonly folder: string,
    private readonly ffmpeg: string,
    private readonly limits: Pick<FfmpegRun, 'bytes' | 'cpuSeconds'>,
  ) {
    this.ffprobe = ffmpeg.replace(/ffmpeg(?=[^/\\]*$)/, 'ffprobe');
  }

  async probe(part: MediaPart): Promise<ProbedMedia> {
    const pieces: Buffer[] = [];
    await this.inspect(part, headerArguments, (piece) => void pieces.push(piece));
    const probed = parseHeader(Buffer.concat(pieces).toString('utf8'));
    this.input = holdsSamples(probed.format) ? [] : WHOLE_PACKETS;
    return probed;
  }

  async scan(
    part: MediaPart,
    streams: readonly number[],
    onPacket: (packet: ScannedPacket) => void,
  ): Promise<void> {
    const lines = lineReader((line) => {
      const packet = parsePacket(line);
      if (packet && streams.includes(packet.stream)) onPacket(packet);
    });
    await this.inspect(part, (path) => packetArguments(path, this.input), lines);
  }

  async convert(conversion: Conversion): Promise<null> {
    const onOutput = lineReader((line) => {
      const [, microseconds] = /^out_time_us=(\d+)/.exec(line) ?? [];
      if (microseconds !== undefined) conversion.onTime?.(Number(microseconds) / 1e6);
    });
    const args = conversionArguments(this.input, (name) => join(this.folder, name), conversion);
    await this.run('it cannot be decoded', this.ffmpeg, args, onOutput);
    return null;
  }

  private inspect(
    part: MediaPart,
    args: (url: string) => string[],
    onOutput: (piece: Buffer) => void,
  ): Promise<void> {
    return this.run('its structure cannot be read', this.ffprobe, args(urlOf(part)), onOutput);
  }

  private async run(
    damage: string,
    program: string,
    args: readonly string[],
    onOutput: (piece: Buffer) => void,
  ): Promise<void> {
    try {
      await runFfmpeg({ program, args, ...this.limits, onOutput });
    } catch (error) {
      if (!(error instanceof FfmpegError) || !error.isMediaAtFault) throw error;
      throw new UnplayableMediaError(`The file is damaged: ${damage}.`, { cause: error });
    }
  }
}

/** Splits output into lines; the last one must be complete. */
function lineReader(onLine: (line: string) => void): (piece: Buffer) => void {
  let rest = '';
  return (piece) => {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
}

/** Runs FFmpeg or ffprobe, confined as this process. Throws `UnplayableMediaError` if it exceeds its CPU budget. */
export async function runFfmpeg({ program, args, cpuSeconds, bytes, onOutput }: FfmpegRun): Promise<void> {
  const [command, ...rest] = limitedCommand(program, args, cpuSeconds);
  const startedAt = performance.now();
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  child.stdout.on('data', onOutput);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-KEPT_ERROR_CHARACTERS);
  });
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', ({ message }) => reject(new FfmpegError(`could not be started (${message})`)));
    child.once('close', (...ending) => resolve(ending));
  });
  // Status 255 has other meanings too, but those failures happen immediately.
  const longEnough = performance.now() - startedAt >= (1000 * cpuSeconds) / availableParallelism();
  const isAtLimit = signal === 'SIGXCPU' || LIMIT_STATUSES.has(status);
  if (isAtLimit && longEnough) throw tooMuchCpu(cpuSeconds, bytes);
  if (isCrash(signal)) throw new CrashError(signal);
  if (status === 0) return;
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  if (signal) throw new FfmpegError(`ended by ${signal}`, lines);
  throw new FfmpegError(
    NOT_STARTED.has(status) ? 'could not be started' : `ended with status ${status}`,
    lines,
  );
}
