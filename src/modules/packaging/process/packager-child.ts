import { fork, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { cpuBudget, tooMuchCpu } from '../media-limits.js';
import { minimalEnvironment } from '../../../platform/processes/minimal-environment.js';
import type { PackageOptions } from '../packager.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import type { ChildMessage, ChildRequest } from './packager-messages.js';
import { StallWatch } from '../../../platform/processes/stall-watch.js';
import { ENDED_BY } from './watched-process.js';

const ENTRY_POINT = fileURLToPath(new URL('./packager.process.js', import.meta.url));
/** JavaScript heap only; the memory of the process as a whole is limited by the child itself. */
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

const LIMITS: ChildLimits = { hangSeconds: 20 };

export type ChildResult = Extract<ChildMessage, { kind: 'packaged' | 'segmented' | 'audio' }>;

type Answer =
  | Exclude<ChildMessage, { kind: 'budget' | 'progress' }>
  | { readonly kind: 'silent'; readonly reason: string; readonly signal: NodeJS.Signals | null };

/**
 * Runs a request in its own child process. Throws as `Packager.package` does; the child has exited by then. It is killed
 * when the signal aborts and after five minutes without progress. It kills itself when it hangs (some damaged files send a
 * parser into an endless loop) or exceeds its CPU budget, neither of which a retry would change.
 */
export async function runChild(
  request: ChildRequest,
  { signal, onProgress }: PackageOptions,
  { hangSeconds, stallMs, cpuShare = 1 }: ChildLimits = LIMITS,
): Promise<ChildResult> {
  signal.throwIfAborted();
  const { size: bytes } = await stat(request.source);
  let cpuSeconds = cpuShare * cpuBudget({ bytes, duration: null }, 'read');
  const child = fork(ENTRY_POINT, [process.pid, hangSeconds, cpuSeconds, cpuShare].map(String), {
    env: minimalEnvironment(),
    execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  });
  const watch = new StallWatch(() => child.kill('SIGKILL'), stallMs);
  try {
    const answer = await ask(child, request, (message) => {
      watch.alive();
      if (message.kind === 'budget') cpuSeconds = message.cpuSeconds;
      else onProgress(message.fraction);
    });
    signal.throwIfAborted();
    if (watch.stalled) throw new Error('the packager stopped making progress');
    if (answer.kind === 'silent' && answer.signal === ENDED_BY.cpu) throw tooMuchCpu(cpuSeconds, bytes);
    return resultOf(answer);
  } finally {
    watch.stop();
  }
}

/** Resolves only when the child has exited, so that nothing of it is left running. */
function ask(
  child: ChildProcess,
  request: ChildRequest,
  onSign: (message: Extract<ChildMessage, { kind: 'budget' | 'progress' }>) => void,
): Promise<Answer> {
  return new Promise((resolve) => {
    let answer: Answer | null = null;
    let stderr = '';
    const end = (reason: string, killedBy: NodeJS.Signals | null = null) =>
      resolve(answer ?? { kind: 'silent', reason, signal: killedBy });

    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-KEPT_ERROR_CHARACTERS);
    });
    child.on('message', (message: ChildMessage) => {
      if (message.kind === 'budget' || message.kind === 'progress') onSign(message);
      else answer = message;
    });
    child.once('error', (error) => {
      // If it did not start, no `close` follows; after an abort, one does.
      if (child.pid === undefined) end(`could not be started: ${error.message}`);
    });
    child.once('close', (status, signal) => {
      const details = stderr.trim() && `: ${stderr.trim()}`;
      end(signal ? `ended by ${signal}` : `ended with status ${status}${details}`, signal);
    });
    // A send error means that the child has already exited, which `close` reports.
    child.send(request, () => undefined);
  });
}

function resultOf(answer: Answer): ChildResult {
  switch (answer.kind) {
    case 'packaged':
    case 'segmented':
    case 'audio':
      return answer;
    case 'unplayable':
      throw new UnplayableMediaError(answer.message);
    case 'failed':
      throw new Error(`the packager failed: ${answer.message}`);
    case 'silent':
      if (answer.signal === ENDED_BY.hang) {
        throw new UnplayableMediaError('The file is damaged: reading it never finishes.');
      }
      throw new Error(`the packager ${answer.reason}`);
  }
}
