import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { minimalEnvironment } from './minimal-environment.js';
import { UnplayableMediaError, type PackageOptions } from './packager.js';
import type { ChildMessage, ChildRequest } from './packager-messages.js';
import { StallWatch } from './stall-watch.js';

const ENTRANCE = fileURLToPath(new URL('./packager.process.js', import.meta.url));
/** Of JavaScript alone; the whole process watches itself. */
const HEAP_MEGABYTES = 512;
const KEPT_ERROR_CHARACTERS = 1000;
/** A child that is silent for so long runs in circles. */
export const UNRESPONSIVE_MS = 20_000;

export type ChildResult = Extract<ChildMessage, { kind: 'packaged' | 'segmented' | 'sound' }>;

type Answer =
  | Exclude<ChildMessage, { kind: 'alive' | 'progress' }>
  | { readonly kind: 'silent'; readonly reason: string };

/**
 * Has a child process do the work, one per request. Throws as `Packager.package` does; the child has ended by then. It is
 * killed when the signal aborts, when it makes no progress for five minutes, and when it is silent for
 * `unresponsiveMs`: some damaged files send a parser round in circles, and they will the next time too.
 */
export async function runChild(
  request: ChildRequest,
  { signal, onProgress }: PackageOptions,
  unresponsiveMs = UNRESPONSIVE_MS,
): Promise<ChildResult> {
  signal.throwIfAborted();
  const child = fork(ENTRANCE, [String(process.pid)], {
    env: minimalEnvironment(),
    execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  const watch = new StallWatch(kill);
  const silence = new StallWatch(kill, unresponsiveMs);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const answer = await ask(child, request, (message) => {
      silence.alive();
      if (message.kind !== 'progress') return;
      watch.alive();
      onProgress(message.fraction);
    });
    signal.throwIfAborted();
    if (silence.stalled) throw new UnplayableMediaError('The file is damaged; reading it comes to no end');
    if (watch.stalled) throw new Error('the packager stopped making progress');
    return resultOf(answer);
  } finally {
    watch.stop();
    silence.stop();
    signal.removeEventListener('abort', kill);
  }
}

/** Resolves when the child has ended, so that nothing of it is left. */
function ask(
  child: ChildProcess,
  request: ChildRequest,
  onSign: (message: Extract<ChildMessage, { kind: 'alive' | 'progress' }>) => void,
): Promise<Answer> {
  return new Promise((resolve) => {
    let answer: Answer | null = null;
    let stderr = '';
    const end = (reason: string) => resolve(answer ?? { kind: 'silent', reason });

    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-KEPT_ERROR_CHARACTERS);
    });
    child.on('message', (message: ChildMessage) => {
      if (message.kind === 'alive' || message.kind === 'progress') onSign(message);
      else answer = message;
    });
    child.once('error', (error) => {
      // Where it did not start, no `close` follows.
      if (child.pid === undefined) end(`could not be started: ${error.message}`);
    });
    child.once('close', (status, signal) => {
      const details = stderr.trim() && `: ${stderr.trim()}`;
      end(signal ? `ended by ${signal}` : `ended with status ${status}${details}`);
    });
    // A child that has ended already says so by `close`.
    child.send(request, () => undefined);
  });
}

function resultOf(answer: Answer): ChildResult {
  switch (answer.kind) {
    case 'packaged':
    case 'segmented':
    case 'sound':
      return answer;
    case 'unplayable':
      throw new UnplayableMediaError(answer.message);
    case 'failed':
      throw new Error(`the packager failed: ${answer.message}`);
    case 'silent':
      throw new Error(`the packager ${answer.reason}`);
  }
}
