import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Piscina } from 'piscina';
import { Deadline } from '../../lib/deadline.js';
import { SETTINGS, type Settings } from '../config/settings.js';
import type { ConnectionNeeds } from '../database/servers/connection-plan.js';
import { LANE_NAMES, LANES } from '../jobs/lanes.js';
import { countCores } from '../runtime/cores.js';
import { takeMeasurement } from '../telemetry/observed.js';
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
/** Node 20 aborts if a thread is terminated while it loads an ES module with `require()`, which piscina tries first. */
const LOAD_BY_IMPORT = ['--no-experimental-require-module'];

/** Enough that no job waits for a thread, not even while a chat server keeps those of all summaries. */
const countThreads = (
  { chat, workerConcurrency }: Pick<Settings, 'workerConcurrency' | 'chat'>,
  cores: number,
): number =>
  Math.max(MIN_THREADS, Math.min(MAX_THREADS, cores), workerConcurrency) + (chat ? LANES.summary() : 0);

/** What the processes of the service may need of PostgreSQL, if all of it is used at once. */
export function connectionNeeds(settings: Settings): ConnectionNeeds {
  const { apiProcesses, apiPoolSize, databasePoolSize, databaseReplicaUrl } = settings;
  const cores = availableParallelism();
  // With a replica, each process asks the primary on a connection of its own how far it is.
  const asking = databaseReplicaUrl === undefined ? 0 : 1;
  return {
    api: {
      processes: apiProcesses,
      pool: apiPoolSize,
      threads: countThreads(settings, Math.floor(cores / apiProcesses)) + asking,
    },
    worker: { pool: databasePoolSize, threads: countThreads(settings, cores) + asking },
    lanes: LANE_NAMES.length,
    slots: LANE_NAMES.reduce((sum, name) => sum + LANES[name](settings), 0),
  };
}

/** Threads for work that grows with callers' data: limited, queued fairly, at most half of the cores each. */
@Injectable()
export class WorkPool implements OnApplicationShutdown {
  private readonly queue: FairQueue;
  private readonly threads: Piscina<unknown, unknown>;

  constructor(@Inject(SETTINGS) settings: Pick<Settings, 'workerConcurrency' | 'chat'>) {
    const cores = Math.min(MAX_THREADS, countCores());
    const threads = countThreads(settings, cores);
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
    this.threads.on('message', takeMeasurement);
  }

  /**
   * Runs a task in a thread. Throws 503 `SERVICE_UNAVAILABLE` if the queue is full, `WorkLimitError`, the reason of
   * `signal`, and errors of the task as an `Error` without its class.
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
