import { existsSync, realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forkConfined, type ChildEnding } from '../../processes/confined-child.js';
import { OUTPUT_FOLDER, type ConfinedFolder } from '../../processes/confined-folder.js';
import { withConfinedFolder } from '../../processes/confinement.js';
import { minimalEnvironment } from '../../processes/minimal-environment.js';
import { StallWatch } from '../../processes/stall-watch.js';
import { cpuBudget, processBounds, tooMuchCpu, tooMuchOutput } from '../media-limits.js';
import { EXTRACTED_FILE } from '../audio/audio-format.js';
import { PACKAGE_FILE } from '../package-files.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import {
  CHILD_MESSAGE,
  type ChildMessage,
  type ChildRequest,
  type MediaOptions,
} from './packager-messages.js';
import { CrashError, isCrash } from '../crash.error.js';
import { ENDED_BY_HANG } from './watched-process.js';

const ENTRY_POINT = fileURLToPath(new URL('./packager.process.js', import.meta.url));
/** JavaScript heap only; `processBounds` limits the memory of the process as a whole. */
const HEAP_MEGABYTES = 512;
const KEPT_ERROR_CHARACTERS = 1000;

/** When to give up on a child. */
export interface ChildLimits {
  /** Seconds of CPU time that it may spend without returning to its event loop. */
  readonly hangSeconds: number;
  /** Milliseconds without progress. */
  readonly stallMs?: number;
  /** Fraction of the CPU budget in `media-limits.ts` that it gets; 1 by default. */
  readonly cpuShare?: number;
}

type Answer = Exclude<ChildMessage, { kind: 'progress' | 'inspected-media' }>;
export type ChildResult = Exclude<Answer, { kind: 'unplayable' | 'failed' }>;

/**
 * Runs a request in its own confined child process, and moves what it has written into the folder of the request.
 * Throws as `packageMedia` does; the child has exited by then. It is killed when the signal aborts and after five
 * minutes without progress. It kills itself when it hangs (some damaged files send a parser into an endless loop), and
 * the kernel kills it when it exceeds its CPU budget, neither of which a retry would change. A file that crashes it
 * twice will do so again.
 */
export async function runChild<Task extends ChildRequest['task']>(
  request: Extract<ChildRequest, { readonly task: Task }>,
  options: MediaOptions,
  limits: ChildLimits = { hangSeconds: 20 },
): Promise<ResultOf<Task>> {
  try {
    return await runOnce(request, options, limits);
  } catch (error) {
    if (!(error instanceof CrashError)) throw error;
  }
  return runOnce(request, options, limits).catch((error: unknown) => {
    throw error instanceof CrashError ? new UnplayableMediaError(error.forUsers, { cause: error }) : error;
  });
}

async function runOnce<Task extends ChildRequest['task']>(
  request: Extract<ChildRequest, { readonly task: Task }>,
  options: MediaOptions,
  limits: ChildLimits,
): Promise<ResultOf<Task>> {
  options.signal.throwIfAborted();
  const { size } = await stat(request.source);
  return withConfinedFolder(request.folder, async (folder) => {
    const result = await answerOf(folder, { ...request, bytes: size }, options, limits);
    if (result.kind !== RESULTS[request.task]) {
      throw new Error(`the packager sent an unexpected reply: ${result.kind}`);
    }
    const expected = request.task === 'package' ? PACKAGE_FILE : EXTRACTED_FILE;
    await folder.collect(request.folder, (file) => expected.test(file));
    return result as ResultOf<Task>;
  });
}

/** The reply to each task. */
const RESULTS = { package: 'packaged', audio: 'audio', piece: 'piece' } as const;
type ResultOf<Task extends ChildRequest['task']> = Extract<Answer, { kind: (typeof RESULTS)[Task] }>;

/** The folder of a program, if it is not part of the system: an isolated child sees nothing else of it. */
function foldersOf(program: string): string[] {
  const folders = (minimalEnvironment()['PATH'] ?? '').split(delimiter).filter(Boolean);
  const paths = program.includes('/') ? [resolve(program)] : folders.map((folder) => join(folder, program));
  const found = paths.find((path) => existsSync(path));
  return found === undefined ? [] : [dirname(found), dirname(realpathSync(found))];
}

async function answerOf(
  folder: ConfinedFolder,
  { bytes, ...given }: ChildRequest & { readonly bytes: number },
  { signal, onProgress, onInspected }: MediaOptions,
  { hangSeconds, stallMs, cpuShare = 1 }: ChildLimits,
): Promise<ChildResult> {
  const bounds = processBounds(bytes, cpuShare * cpuBudget(bytes));
  const request = { ...given, source: await folder.add(given.source), folder: OUTPUT_FOLDER };
  signal.throwIfAborted();
  const args = [hangSeconds, bounds.cpuSeconds].map(String);
  const readable = given.ffmpeg === undefined ? [] : foldersOf(given.ffmpeg);
  const spawnOptions = { bounds, readable, heapMegabytes: HEAP_MEGABYTES, signal };
  const child = forkConfined(folder, ENTRY_POINT, args, spawnOptions);
  const watch = new StallWatch(() => child.kill(), stallMs);
  const answers: Answer[] = [];
  let isInspected = false;
  child.process.on('message', (sent) => {
    watch.alive();
    const { data: message } = CHILD_MESSAGE.safeParse(sent);
    // A child that does not keep to the protocol has been taken over.
    if (!message) child.kill();
    else if (message.kind === 'progress') onProgress(message.fraction);
    else if (message.kind !== 'inspected-media') answers[0] ??= message;
    else if (!isInspected) {
      isInspected = true;
      onInspected?.(message.found);
    }
  });
  try {
    // A send error means that the child has already exited, which `ended` reports.
    child.process.send(request, () => undefined);
    const ending = await child.ended;
    signal.throwIfAborted();
    if (watch.stalled) throw new Error('the packager stopped making progress');
    if (ending.tooMuchOutput) throw tooMuchOutput(bounds);
    if (answers[0]) return resultOf(answers[0]);
    if (ending.signal === 'SIGXCPU') throw tooMuchCpu(bounds.cpuSeconds, bytes);
    throw silent(ending);
  } finally {
    watch.stop();
    // Its folder is about to be removed.
    child.kill();
    await child.ended;
  }
}

function resultOf(answer: Answer): ChildResult {
  if (answer.kind === 'unplayable') throw new UnplayableMediaError(answer.message);
  if (answer.kind === 'failed') throw new Error(`the packager failed: ${answer.message}`);
  return answer;
}

function silent({ signal, status, error, stderr }: ChildEnding): Error {
  if (error) return new Error(`the packager could not be started: ${error.message}`);
  if (signal === ENDED_BY_HANG) {
    return new UnplayableMediaError('The file is damaged: reading it never finishes.');
  }
  if (isCrash(signal)) return new CrashError(signal);
  if (signal) return new Error(`the packager ended by ${signal}`);
  const details = stderr && `: ${stderr.slice(-KEPT_ERROR_CHARACTERS)}`;
  return new Error(`the packager ended with status ${status}${details}`);
}
