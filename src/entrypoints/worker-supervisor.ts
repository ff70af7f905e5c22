import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AppLogger } from '../platform/logging/app-logger.js';

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));
const RESTART_AFTER_MS = 500;
/** A worker that does not stop in time is killed. */
const STOP_DEADLINE_MS = 10_000;
/** The banner waits no longer for the worker to start. */
const START_DEADLINE_MS = 10_000;

export interface SupervisedWorker {
  /** Resolves when the first worker runs jobs, exits, or is late. */
  readonly started: Promise<unknown>;
  stop(): Promise<void>;
}

/** Keeps one worker process running. The worker stops on its own if this process dies. */
export function superviseWorker(logger: AppLogger): SupervisedWorker {
  let child: ChildProcess | undefined;
  const stopping = new AbortController();
  const starting = new AbortController();

  const keepRunning = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      child = fork(WORKER, { stdio: 'inherit' });
      child.once('message', () => starting.abort());
      const [status, signal]: unknown[] = await once(child, 'exit');
      starting.abort();
      if (stopping.signal.aborted) return;
      logger.error({ status, signal }, 'the worker exited; restarting it');
      await sleep(RESTART_AFTER_MS);
    }
  };
  const done = keepRunning();
  const started = new Promise((resolve) => {
    starting.signal.addEventListener('abort', resolve);
    setTimeout(resolve, START_DEADLINE_MS).unref();
  });

  return {
    started,
    stop: async () => {
      stopping.abort();
      child?.kill('SIGTERM');
      const deadline = setTimeout(() => child?.kill('SIGKILL'), STOP_DEADLINE_MS);
      await done;
      clearTimeout(deadline);
    },
  };
}
