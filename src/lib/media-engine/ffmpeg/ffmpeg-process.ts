import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { limitedCommand } from '../../processes/confined-command.js';
import { CrashError, isCrash } from '../crash.error.js';
import { tooMuchCpu } from '../media-limits.js';

const SHOWN_ERROR_LINES = 3;
const KEPT_ERROR_CHARACTERS = 4_000;

/** FFmpeg catches SIGXCPU, which it gets at its CPU limit, and exits with 255, or with 123 after more than three. */
const LIMIT_STATUSES: ReadonlySet<number | null> = new Set([255, 123]);
/** Exit statuses of shells and similar programs for one that is missing or not executable. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);

/** FFmpeg or ffprobe failed. `lines` are the last lines of its error output. */
export class FfmpegError extends Error {
  /** A retry makes sense, unless the media is at fault. */
  readonly mayPass = true;

  constructor(
    readonly reason: string,
    readonly lines: readonly string[] = [],
  ) {
    super([`FFmpeg ${reason}`, ...lines.slice(-SHOWN_ERROR_LINES)].join(': '));
    this.name = 'FfmpegError';
  }

  /** Whether the program gave up for another reason than those of its machine, which match `machine`. */
  isMediaAtFault(machine: RegExp): boolean {
    return this.reason.includes('status') && !this.lines.some((line) => machine.test(line));
  }
}

export interface FfmpegRun {
  readonly program: string;
  readonly args: readonly string[];
  /** CPU time that it may use, for a source of this many bytes. */
  readonly cpuSeconds: number;
  readonly bytes: number;
  /** Receives standard output as it arrives. */
  readonly onOutput: (piece: Buffer) => void;
}

/**
 * Runs FFmpeg or ffprobe in the confinement and at the priority of this process, and resolves when it has exited.
 * Throws `UnplayableMediaError` when it exceeds its CPU budget (not enforced on Windows).
 */
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
