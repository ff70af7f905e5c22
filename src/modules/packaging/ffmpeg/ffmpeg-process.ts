import { existsSync, realpathSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { spawnConfined, type ChildEnding } from '../../../platform/processes/confined-child.js';
import { OUTPUT_FOLDER, type ConfinedFolder } from '../../../platform/processes/confined-folder.js';
import { withConfinedFolder } from '../../../platform/processes/confinement.js';
import { CrashError, isCrash } from '../crash.error.js';
import { PRIORITY } from '../work-priority.js';
import { cpuBudget, processBounds, tooMuchCpu, tooMuchOutput, type MediaSize } from '../media-limits.js';
import { minimalEnvironment } from '../../../platform/processes/minimal-environment.js';
import { StallWatch } from '../../../platform/processes/stall-watch.js';

const SHOWN_ERROR_LINES = 3;

/** FFmpeg catches SIGXCPU, which it receives at its CPU limit, and exits with 255, or with 123 after more than three. */
const LIMIT_STATUSES: ReadonlySet<number | null> = new Set([255, 123]);
/** Exit statuses of shells and similar programs for one that is missing or not executable. */
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

  /** Whether the program gave up for another reason than those of its machine, which match `machine`. */
  isMediaAtFault(machine: RegExp): boolean {
    return this.reason.includes('status') && !this.lines.some((line) => machine.test(line));
  }
}

export interface FfmpegRun {
  readonly program: string;
  /** The one file that it may read, and the folder that its output is moved into. */
  readonly source: string;
  readonly folder: string;
  /** `source` is the path of the source as the program sees it. It writes to names made by `outputPath`. */
  readonly args: (source: string) => readonly string[];
  /** Names of the files that it may write; none by default. */
  readonly outputs?: readonly string[];
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

/** The path, for a program, of an output file with this name. */
export const outputPath = (name: string): string => `${OUTPUT_FOLDER}/${name}`;

/**
 * Runs FFmpeg or ffprobe, confined and at low priority, and resolves when it has exited and its output has been moved. It is
 * killed when the signal aborts (rejects with its reason) and after five minutes without output. Throws
 * `UnplayableMediaError` when it exceeds its CPU budget (not enforced on Windows) or writes too much.
 */
export async function runFfmpeg(run: FfmpegRun): Promise<void> {
  run.signal.throwIfAborted();
  await withConfinedFolder(run.folder, async (folder) => {
    await runIn(folder, run);
    await folder.collect(run.folder, (file) => run.outputs?.includes(file) ?? false);
  });
}

async function runIn(folder: ConfinedFolder, run: FfmpegRun): Promise<void> {
  const { signal, size, onOutput } = run;
  const source = await folder.add(run.source);
  signal.throwIfAborted();
  const cpuSeconds = Math.ceil((run.cpuShare ?? 1) * cpuBudget(size, run.work));
  const bounds = processBounds(size.bytes, cpuSeconds);
  const startedAt = performance.now();
  const child = spawnConfined(folder, run.program, run.args(source), {
    bounds,
    readable: foldersOf(run.program),
    signal,
  });
  setPriorityOf(child.process.pid, run.work === 'read' ? PRIORITY.inspecting : PRIORITY.converting);
  const watch = new StallWatch(() => child.kill());
  child.process.stdout?.on('data', (piece: Buffer) => {
    watch.alive();
    onOutput?.(piece);
  });
  const ending = await child.ended;
  watch.stop();
  signal.throwIfAborted();
  if (watch.stalled) throw new Error('FFmpeg stopped making progress');
  if (ending.tooMuchOutput) throw tooMuchOutput(bounds);
  // Status 255 has other meanings too, but those failures happen immediately.
  const longEnough = performance.now() - startedAt >= (1000 * cpuSeconds) / availableParallelism();
  if (isAtLimit(ending) && longEnough) throw tooMuchCpu(cpuSeconds, size.bytes);
  if (isCrash(ending.signal)) throw new CrashError(ending.signal);
  const reason = reasonOf(ending);
  if (reason !== null) throw new FfmpegError(reason, withoutPaths(ending.stderr));
}

/** It ended the way it does when it reaches its CPU limit. */
const isAtLimit = ({ signal, status }: ChildEnding): boolean =>
  signal === 'SIGXCPU' || LIMIT_STATUSES.has(status);

/** Null after success. */
function reasonOf({ status, signal, error }: ChildEnding): string | null {
  if (error) return `could not be started (${error.message})`;
  if (signal) return `ended by ${signal}`;
  if (NOT_STARTED.has(status)) return 'could not be started';
  return status === 0 ? null : `ended with status ${status}`;
}

/** The folder of a program, if it is not part of the system: an isolated child sees nothing else of it. */
function foldersOf(program: string): string[] {
  const folders = (minimalEnvironment()['PATH'] ?? '').split(delimiter).filter(Boolean);
  const paths = program.includes('/') ? [resolve(program)] : folders.map((folder) => join(folder, program));
  const found = paths.find((path) => existsSync(path));
  return found === undefined ? [] : [dirname(found), dirname(realpathSync(found))];
}

function setPriorityOf(pid: number | undefined, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority);
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
