import { spawn, type ChildProcess } from 'node:child_process';
import { availableParallelism, constants, setPriority } from 'node:os';
import { cpuBudget, tooMuchCpu, type MediaSize } from '../media-limits.js';
import { minimalEnvironment } from '../process/minimal-environment.js';
import { StallWatch } from '../process/stall-watch.js';

const KEPT_ERROR_CHARACTERS = 4000;
const SHOWN_ERROR_LINES = 3;

/**
 * Has the kernel count the CPU time of a program: at the limit it sends SIGXCPU, and soon after kills. No core file is left.
 * FFmpeg catches the signal and ends with 255, or 123 when it has to be sent more than three times.
 */
const LIMITED = 'ulimit -c 0; ulimit -S -t "$1"; ulimit -H -t $(($1 + 10)); shift; exec "$@"';
const LIMIT_STATUSES: ReadonlySet<number | null> = new Set([255, 123]);
/** Of the shell, for a program that is not there or may not be run. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);

/** FFmpeg or ffprobe ended with a status other than 0. `lines` are the last it said, without paths. */
export class FfmpegError extends Error {
  constructor(
    readonly reason: string,
    readonly lines: readonly string[],
  ) {
    super([`FFmpeg ${reason}`, ...lines.slice(-SHOWN_ERROR_LINES)].join(': '));
    this.name = 'FfmpegError';
  }
}

export interface FfmpegRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Of what it reads. */
  readonly size: MediaSize;
  /** Looks at the file, or processes it: decides on its CPU time. */
  readonly work: 'read' | 'encode';
  /** Part of the CPU time of `media-limits.ts` that it gets; 1 by default. */
  readonly cpuShare?: number;
  /** Standard output, piece by piece, as it comes; counts as a sign of life. */
  readonly onOutput?: (piece: Buffer) => void;
}

/**
 * Runs FFmpeg or ffprobe at low priority, without settings or secrets in its environment, and resolves with the end of it.
 * Killed when the signal aborts (rejects with its reason) and when nothing is heard for five minutes. Throws
 * `UnplayableMediaError` when it needs more CPU time than is allowed; on Windows that is not limited.
 */
export async function runFfmpeg(run: FfmpegRun): Promise<void> {
  const { program, args, signal, size, onOutput } = run;
  signal.throwIfAborted();
  const cpuSeconds = Math.ceil((run.cpuShare ?? 1) * cpuBudget(size, run.work));
  const startedAt = performance.now();
  const [command, commandArgs] = limited(program, args, cpuSeconds);
  const child = spawn(command, commandArgs, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: minimalEnvironment(),
    windowsHide: true,
    signal,
    killSignal: 'SIGKILL',
  });
  lowerPriority(child.pid);
  const watch = new StallWatch(() => child.kill('SIGKILL'));
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => {
    watch.alive();
    onOutput?.(piece);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_ERROR_CHARACTERS);
  });
  try {
    const { reason, atLimit } = await ending(child);
    signal.throwIfAborted();
    if (watch.stalled) throw new Error('FFmpeg stopped making progress');
    // Status 255 has other meanings too, all of which show at once.
    const longEnough = performance.now() - startedAt >= (1000 * cpuSeconds) / availableParallelism();
    if (atLimit && longEnough) throw tooMuchCpu(cpuSeconds, size.bytes);
    if (reason !== null) throw new FfmpegError(reason, withoutPaths(stderr));
  } finally {
    watch.stop();
  }
}

interface Ending {
  /** Null after success. */
  readonly reason: string | null;
  /** As it ends at the limit of its CPU time. */
  readonly atLimit: boolean;
}

function ending(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined)
        resolve({ reason: `could not be started (${error.message})`, atLimit: false });
    });
    child.once('close', (status, killedBy) => {
      const atLimit = killedBy === 'SIGXCPU' || LIMIT_STATUSES.has(status);
      if (killedBy) resolve({ reason: `ended by ${killedBy}`, atLimit });
      else if (NOT_STARTED.has(status)) resolve({ reason: 'could not be started', atLimit });
      else resolve({ reason: status === 0 ? null : `ended with status ${status}`, atLimit });
    });
  });
}

function limited(program: string, args: readonly string[], cpuSeconds: number): [string, string[]] {
  if (process.platform === 'win32') return [program, [...args]];
  return ['/bin/sh', ['-c', LIMITED, 'sh', String(cpuSeconds), program, ...args]];
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Already ended, or not allowed; the work is the same.
  }
}

function withoutPaths(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/(?:[A-Za-z]:)?[/\\][^\s:'"]+/g, '<file>').trim())
    .filter((line) => line !== '');
}
