import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { minimalEnvironment } from './minimal-environment.js';
import { StallWatch } from './stall-watch.js';

const KEPT_ERROR_CHARACTERS = 4000;
const SHOWN_ERROR_LINES = 3;

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
  /** Standard output, piece by piece, as it comes; counts as a sign of life. */
  readonly onOutput?: (piece: Buffer) => void;
}

/**
 * Runs FFmpeg or ffprobe at low priority, without settings or secrets in its environment, and resolves with the end of it.
 * Killed when the signal aborts (rejects with its reason) and when nothing is heard for five minutes.
 */
export async function runFfmpeg({ program, args, signal, onOutput }: FfmpegRun): Promise<void> {
  signal.throwIfAborted();
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: minimalEnvironment(),
    windowsHide: true,
  });
  lowerPriority(child.pid);
  const kill = () => child.kill('SIGKILL');
  const watch = new StallWatch(kill);
  signal.addEventListener('abort', kill, { once: true });
  let stderr = '';
  child.stdout.on('data', (piece: Buffer) => {
    watch.alive();
    onOutput?.(piece);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_ERROR_CHARACTERS);
  });
  try {
    const reason = await new Promise<string | null>((resolve) => {
      child.once('error', (error) => {
        if (child.pid === undefined) resolve(`could not be started (${error.message})`);
      });
      child.once('close', (status, killedBy) => {
        if (killedBy) resolve(`ended by ${killedBy}`);
        else resolve(status === 0 ? null : `ended with status ${status}`);
      });
    });
    signal.throwIfAborted();
    if (watch.stalled) throw new Error('FFmpeg stopped making progress');
    if (reason !== null) throw new FfmpegError(reason, withoutPaths(stderr));
  } finally {
    watch.stop();
    signal.removeEventListener('abort', kill);
  }
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
