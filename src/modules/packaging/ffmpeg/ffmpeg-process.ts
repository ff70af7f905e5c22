import { spawn, type ChildProcess } from 'node:child_process';
import { availableParallelism, constants, setPriority } from 'node:os';
import { cpuBudget, tooMuchCpu, type MediaSize } from '../media-limits.js';
import { minimalEnvironment } from '../../../platform/processes/minimal-environment.js';
import { StallWatch } from '../../../platform/processes/stall-watch.js';

const KEPT_ERROR_CHARACTERS = 4000;
const SHOWN_ERROR_LINES = 3;

/**
 * Lets the kernel limit a program's CPU time: at the limit it sends SIGXCPU, and 10 s of CPU time later SIGKILL. No core
 * file is written. FFmpeg catches SIGXCPU and exits with 255, or with 123 after more than three of them.
 */
const LIMITED = 'ulimit -c 0; ulimit -S -t "$1"; ulimit -H -t $(($1 + 10)); shift; exec "$@"';
const LIMIT_STATUSES: ReadonlySet<number | null> = new Set([255, 123]);
/** Exit statuses of the shell for a program that is missing or not executable. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);

/** FFmpeg or ffprobe failed. `lines` are the last lines of its error output, without paths. */
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
  /** Size of the input. */
  readonly size: MediaSize;
  /** Whether the run only inspects the file or processes it; determines its CPU budget. */
  readonly work: 'read' | 'encode';
  /** Fraction of the CPU budget in `media-limits.ts` that it gets; 1 by default. */
  readonly cpuShare?: number;
  /** Receives standard output as it arrives, which also counts as a sign of life. */
  readonly onOutput?: (piece: Buffer) => void;
}

/**
 * Runs FFmpeg or ffprobe at low priority, without settings or secrets in its environment, and resolves when it has exited.
 * It is killed when the signal aborts (rejects with its reason) and after five minutes without output. Throws
 * `UnplayableMediaError` when it exceeds its CPU budget, which is not enforced on Windows.
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
    // Status 255 has other meanings too, but those failures happen immediately.
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
  /** It ended the way it does when it reaches its CPU limit. */
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
    // Already ended, or not permitted; the work does not depend on it.
  }
}

function withoutPaths(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/(?:[A-Za-z]:)?[/\\][^\s:'"]+/g, '<file>').trim())
    .filter((line) => line !== '');
}
