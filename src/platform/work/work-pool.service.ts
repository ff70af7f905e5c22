import { fileURLToPath } from 'node:url';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Deadline } from '../../lib/deadline.js';
import { SETTINGS, type Settings } from '../config/settings.js';
import { LANES } from '../jobs/lanes.js';
import { countCores } from '../runtime/cores.js';
import { FairQueue } from './fair-queue.js';
import type { ThreadTask } from './thread-task.js';

export interface WorkOptions {
  /** The key of the queue, usually the id of the user on whose behalf the work runs. */
  readonly caller: string;
  /** Time limit. */
  readonly seconds: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
  /** Continues work that has already started: waits for a slot, but is never refused. */
  readonly accepted?: boolean;
  /** Memory of the input to transfer instead of copying; the caller can no longer use it. */
  readonly transfer?: readonly ArrayBuffer[];
}

/** Work was terminated because it exceeded a limit; a retry would fail too. */
export class WorkLimitError extends Error {
  constructor(readonly limit: 'time' | 'memory' | 'output') {
    super(`terminated: exceeded its ${limit} limit`);
    this.name = 'WorkLimitError';
  }
}

const MAX_THREADS = 8;
const MIN_THREADS = 2;
const HEAP_MEGABYTES = 512;
const IDLE_MS = 30_000;
/** Lower priority than requests. Per thread only on Linux; elsewhere it would slow down the whole process. */
const NICE = process.platform === 'linux' ? 19 : 0;
const WAITING = { waiting: 200, waitingEach: 20 };
/**
 * Node 20 aborts the whole process if a thread is terminated while it loads an ES module with `require()`, which piscina
 * tries first. Without it, piscina uses `import()`.
 */
const LOAD_BY_IMPORT = ['--no-experimental-require-module'];

/**
 * Threads for work that grows with what callers send or store, which must never run on a main thread: with time and
 * memory limits, fair queueing, and at most half of the cores per caller.
 */
@Injectable()
export class WorkPool implements OnApplicationShutdown {
  private readonly queue: FairQueue;
  private readonly threads: Piscina<unknown, unknown>;

  constructor(@Inject(SETTINGS) settings: Pick<Settings, 'workerConcurrency' | 'chat'>) {
    const cores = Math.min(MAX_THREADS, countCores());
    // Enough that no job waits for a thread, not even while a chat server keeps those of all summaries.
    const waiting = settings.chat ? LANES.summary() : 0;
    const threads = Math.max(MIN_THREADS, cores, settings.workerConcurrency) + waiting;
    this.queue = new FairQueue({
      atOnce: threads,
      atOnceEach: Math.max(1, Math.floor(cores / 2)),
      ...WAITING,
    });
    this.threads = new Piscina({
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: IDLE_MS,
      niceIncrement: NICE,
      // Threads keep their own connections open between tasks.
      atomics: 'disabled',
      execArgv: LOAD_BY_IMPORT,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
  }

  /**
   * Runs a task in a thread. Throws 503 `SERVICE_UNAVAILABLE` if the queue is full, `WorkLimitError` if the task
   * exceeds a limit, the reason of `signal` if it aborts, and any error of the task as an `Error` without its class.
   */
  run<Input, Output>(
    { module }: ThreadTask<Input, Output>,
    input: Input,
    { caller, seconds, signal, transfer = [], accepted }: WorkOptions,
  ): Promise<Output> {
    return this.queue.run(
      caller,
      async () => {
        using deadline = new Deadline(seconds * 1000, signal);
        try {
          return (await this.threads.run(input, {
            filename: fileURLToPath(module),
            signal: deadline.signal,
            transferList: [...transfer],
          })) as Output;
        } catch (error) {
          signal?.throwIfAborted();
          if (deadline.isOver) throw new WorkLimitError('time');
          if (isOutOfMemory(error)) throw new WorkLimitError('memory');
          throw error;
        }
      },
      { signal, accepted },
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.destroy();
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
