import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { SETTINGS, type Settings } from '../config/settings.js';
import { FairQueue } from './fair-queue.js';
import type { ThreadTask } from './thread-task.js';

export interface WorkOptions {
  /** Whose work it is, usually the id of a user: callers take turns. */
  readonly caller: string;
  /** Seconds that it may run. */
  readonly seconds: number;
  /** Ends it early. */
  readonly signal?: AbortSignal;
  /** Goes on with something that has begun: waits its turn, but is not refused. */
  readonly accepted?: boolean;
  /** Memory of the input that is handed over instead of copied; the caller has it no more. */
  readonly transfer?: readonly ArrayBuffer[];
}

/** Work was ended as it took more than it may have; it would the next time too. */
export class WorkLimitError extends Error {
  constructor(readonly limit: 'time' | 'memory') {
    super(`ended: it took more ${limit} than it may have`);
    this.name = 'WorkLimitError';
  }
}

const MOST_THREADS = 8;
const FEWEST_THREADS = 2;
const HEAP_MEGABYTES = 512;
const IDLE_MS = 30_000;
/** Lower priority than requests. Only on Linux does it belong to a thread; elsewhere it would slow the whole process. */
const NICE = process.platform === 'linux' ? 19 : 0;
const WAITING = { waiting: 200, waitingEach: 20 };

/**
 * Threads for work that grows with what callers send or store, which never runs on a main thread: with limits on time and
 * memory, in fair turns, and half of the cores at most for one caller.
 */
@Injectable()
export class WorkPool implements OnApplicationShutdown {
  private readonly queue: FairQueue;
  private readonly threads: Piscina<unknown, unknown>;

  constructor(@Inject(SETTINGS) { workerConcurrency }: Pick<Settings, 'workerConcurrency'>) {
    const cores = Math.min(MOST_THREADS, availableParallelism());
    // No job waits for a thread.
    const threads = Math.max(FEWEST_THREADS, cores, workerConcurrency);
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
      // Threads have connections of their own, which go on between tasks.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    });
  }

  /**
   * Runs a task in a thread. Throws 503 `SERVICE_UNAVAILABLE` when too much waits already, `WorkLimitError` when it takes
   * too much, the reason of `signal` when that aborts, and whatever the task throws, as an `Error` without its class.
   */
  run<Input, Output>(
    { module }: ThreadTask<Input, Output>,
    input: Input,
    { caller, seconds, signal, transfer = [], accepted }: WorkOptions,
  ): Promise<Output> {
    return this.queue.run(
      caller,
      async () => {
        const deadline = AbortSignal.timeout(seconds * 1000);
        try {
          return (await this.threads.run(input, {
            filename: fileURLToPath(module),
            signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
            transferList: [...transfer],
          })) as Output;
        } catch (error) {
          signal?.throwIfAborted();
          if (deadline.aborted) throw new WorkLimitError('time');
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
