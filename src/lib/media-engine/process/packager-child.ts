import { existsSync, realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forkConfined, type ChildEnding } from '../../processes/confined-child.js';
import { minimalEnvironment } from '../../processes/confined-command.js';
import { OUTPUT_FOLDER, type ConfinedFolder } from '../../processes/confined-folder.js';
import { withConfinedFolder } from '../../processes/confinement.js';
import { StallWatch } from '../../processes/stall-watch.js';
import { EXTRACTED_FILE } from '../audio/audio-format.js';
import { cpuBudget, processBounds, tooMuchCpu, tooMuchOutput } from '../media-limits.js';
import { CrashError, isCrash, UnplayableMediaError } from '../media.errors.js';
import {
  CHILD_MESSAGE,
  PACKAGE_FILE,
  type ChildMessage,
  type ChildRequest,
  type MediaOptions,
} from './packager-messages.js';
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

type Task = ChildRequest['task'];
type RequestOf<T extends Task> = Extract<ChildRequest, { readonly task: T }>;
type ReplyTo<T extends Task> = Extract<ChildMessage, { kind: T }>;

/**
 * Runs a request in its own confined child process, and moves what it has written into the folder of the request.
 * Throws as `packageMedia` does; the child has exited by then. It is killed when the signal aborts and after five
 * minutes without progress. It kills itself when it hangs (some damaged files send a parser into an endless loop), and
 * the kernel kills it when it exceeds its CPU budget, neither of which a retry would change. A file that crashes it
 * twice will do so again.
 */
export async function runChild<T extends Task>(
  request: RequestOf<T>,
  options: MediaOptions,
  limits: ChildLimits = { hangSeconds: 20 },
): Promise<ReplyTo<T>> {
  const once = () =>
    withConfinedFolder(request.folder, (folder) => runOnce(folder, request, options, limits));
  try {
    return await once();
  } catch (error) {
    if (!(error instanceof CrashError)) throw error;
  }
  return once().catch((error: unknown) => {
    if (!(error instanceof CrashError)) throw error;
    const message = `The file is damaged: it crashes the decoder (${error.signal}).`;
    throw new UnplayableMediaError(message, { cause: error });
  });
}

async function runOnce<T extends Task>(
  folder: ConfinedFolder,
  request: RequestOf<T>,
  { signal, onProgress, onInspected }: MediaOptions,
  { hangSeconds, stallMs, cpuShare = 1 }: ChildLimits,
): Promise<ReplyTo<T>> {
  const files = [request.source, ...(request.others ?? [])];
  const sizes = await Promise.all(files.map((file) => stat(file)));
  const size = sizes.reduce((sum, file) => sum + file.size, 0);
  const bounds = processBounds(size, cpuShare * cpuBudget(size));
  const added = new Map<string, string>();
  for (const file of new Set(files)) added.set(file, await folder.add(file));
  const [source = '', ...others] = files.map((file) => added.get(file) ?? '');
  signal.throwIfAborted();
  const args = [hangSeconds, bounds.cpuSeconds].map(String);
  const readable = request.ffmpeg === undefined ? [] : foldersOf(request.ffmpeg);
  const child = forkConfined(folder, ENTRY_POINT, args, {
    bounds,
    readable,
    heapMegabytes: HEAP_MEGABYTES,
    signal,
  });
  const watch = new StallWatch(() => child.kill(), stallMs);
  const replies: Exclude<ChildMessage, { kind: 'progress' | 'inspected-media' }>[] = [];
  let isInspected = false;
  child.process.on('message', (sent) => {
    watch.alive();
    const { data: message } = CHILD_MESSAGE.safeParse(sent);
    // A child that does not keep to the protocol has been taken over.
    if (!message) child.kill();
    else if (message.kind === 'progress') onProgress(message.fraction);
    else if (message.kind !== 'inspected-media') replies.push(message);
    else if (!isInspected) {
      isInspected = true;
      onInspected?.(message.found);
    }
  });
  try {
    // A send error means that the child has already exited, which `ended` reports.
    child.process.send({ ...request, source, others, folder: OUTPUT_FOLDER }, () => undefined);
    const ending = await child.ended;
    signal.throwIfAborted();
    if (watch.stalled) throw new Error('the packager stopped making progress');
    if (ending.tooMuchOutput) throw tooMuchOutput(bounds);
    const [reply] = replies;
    if (!reply) throw ending.signal === 'SIGXCPU' ? tooMuchCpu(bounds.cpuSeconds, size) : silent(ending);
    if (reply.kind === 'unplayable') throw new UnplayableMediaError(reply.message);
    if (reply.kind === 'failed') throw new Error(`the packager failed: ${reply.message}`);
    if (reply.kind !== request.task) throw new Error(`the packager sent an unexpected reply: ${reply.kind}`);
    const expected = request.task === 'audio' || request.task === 'piece' ? EXTRACTED_FILE : PACKAGE_FILE;
    await folder.collect(request.folder, (file) => expected.test(file));
    return reply as ReplyTo<T>;
  } finally {
    watch.stop();
    // Its folder is about to be removed.
    child.kill();
    await child.ended;
  }
}

/** The folder of a program, if it is not part of the system: an isolated child sees nothing else of it. */
function foldersOf(program: string): string[] {
  const folders = (minimalEnvironment()['PATH'] ?? '').split(delimiter).filter(Boolean);
  const paths = program.includes('/') ? [resolve(program)] : folders.map((folder) => join(folder, program));
  const found = paths.find((path) => existsSync(path));
  return found === undefined ? [] : [dirname(found), dirname(realpathSync(found))];
}

function silent({ signal, status, error, stderr }: ChildEnding): Error {
  if (error) return new Error(`the packager could not be started: ${error.message}`);
  if (signal === ENDED_BY_HANG)
    return new UnplayableMediaError('The file is damaged: reading it never finishes.');
  if (isCrash(signal)) return new CrashError(signal);
  if (signal) return new Error(`the packager ended by ${signal}`);
  const details = stderr && `: ${stderr.slice(-KEPT_ERROR_CHARACTERS)}`;
  return new Error(`the packager ended with status ${status}${details}`);
}
