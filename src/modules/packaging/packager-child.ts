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

export type ChildResult = Extract<ChildMessage, { kind: 'packaged' | 'segmented' }>;

type Answer =
  Exclude<ChildMessage, { kind: 'progress' }> | { readonly kind: 'silent'; readonly reason: string };

/**
 * Has a child process do the work, one per request. Throws as `Packager.package` does; the child has ended by then. It is
 * killed when the signal aborts, and when it makes no progress for five minutes.
 */
export async function runChild(
  request: ChildRequest,
  { signal, onProgress }: PackageOptions,
): Promise<ChildResult> {
  signal.throwIfAborted();
  const child = fork(ENTRANCE, {
    env: minimalEnvironment(),
    execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const kill = () => child.kill('SIGKILL');
  const watch = new StallWatch(kill);
  signal.addEventListener('abort', kill, { once: true });
  try {
    const answer = await ask(child, request, (fraction) => {
      watch.alive();
      onProgress(fraction);
    });
    signal.throwIfAborted();
    if (watch.stalled) throw new Error('the packager stopped making progress');
    return resultOf(answer);
  } finally {
    watch.stop();
    signal.removeEventListener('abort', kill);
  }
}

/** Resolves when the child has ended, so that nothing of it is left. */
function ask(
  child: ChildProcess,
  request: ChildRequest,
  onProgress: (fraction: number) => void,
): Promise<Answer> {
  return new Promise((resolve) => {
    let answer: Answer | null = null;
    let stderr = '';
    const end = (reason: string) => resolve(answer ?? { kind: 'silent', reason });

    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-KEPT_ERROR_CHARACTERS);
    });
    child.on('message', (message: ChildMessage) => {
      if (message.kind === 'progress') onProgress(message.fraction);
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
      return answer;
    case 'unplayable':
      throw new UnplayableMediaError(answer.message);
    case 'failed':
      throw new Error(`the packager failed: ${answer.message}`);
    case 'silent':
      throw new Error(`the packager ${answer.reason}`);
  }
}
