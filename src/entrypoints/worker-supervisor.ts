import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AppLogger } from '../platform/logging/app-logger.js';
import type { MetricSource } from '../platform/telemetry/scrape.js';

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));
/** Argument of a worker whose metrics are served by the process that started it. */
export const SUPERVISED = 'supervised';
const RESTART_AFTER_MS = 500;
/** After as long as this, if it does not start. */
const RESTART_AT_LAST_MS = 60_000;
/** A worker that does not stop in time is killed. */
const STOP_DEADLINE_MS = 10_000;
/** The banner waits no longer for the worker to start. */
const START_DEADLINE_MS = 10_000;

export interface SupervisedWorker {
  /** Resolves when the first worker runs jobs, exits, or is late. */
  readonly started: Promise<unknown>;
  /** The worker, while it runs jobs. */
  running(): readonly MetricSource[];
  stop(): Promise<void>;
}

/** Keeps one worker process running. The worker stops on its own if this process dies. */
export function superviseWorker(logger: AppLogger): SupervisedWorker {
  let child: ChildProcess | undefined;
  let running: readonly MetricSource[] = [];
  const stopping = new AbortController();
  const starting = new AbortController();

  const keepRunning = async (): Promise<void> => {
    let pause = RESTART_AFTER_MS;
    while (!stopping.signal.aborted) {
      child = fork(WORKER, [SUPERVISED], { stdio: 'inherit' });
      const started = child;
      child.once('message', () => {
        running = [{ role: 'worker', number: 1, child: started }];
        pause = RESTART_AFTER_MS;
        starting.abort();
      });
      const [status, signal]: unknown[] = await once(child, 'exit');
      running = [];
      starting.abort();
      if (stopping.signal.aborted) return;
      logger.error({ status, signal }, 'the worker exited; restarting it');
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      pause = Math.min(2 * pause, RESTART_AT_LAST_MS);
    }
  };
  const done = keepRunning();
  const started = new Promise((resolve) => {
    starting.signal.addEventListener('abort', resolve);
    setTimeout(resolve, START_DEADLINE_MS).unref();
  });

  return {
    started,
    running: () => running,
    stop: async () => {
      stopping.abort();
      child?.kill('SIGTERM');
      const deadline = setTimeout(() => child?.kill('SIGKILL'), STOP_DEADLINE_MS);
      await done;
      clearTimeout(deadline);
    },
  };
}
