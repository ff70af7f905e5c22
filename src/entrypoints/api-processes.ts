import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AlreadyReported } from './lifecycle.js';
import { StartError } from '../platform/config/settings.js';
import type { AppLogger } from '../platform/logging/app-logger.js';
import type { MetricSource } from '../platform/telemetry/scrape.js';

const API_PROCESS = fileURLToPath(new URL('./api-process.js', import.meta.url));
/** Argument of the process that loads the demo and introduces the service. */
export const FIRST = 'first';
const RESTART_AFTER_MS = 500;
/** A process that does not stop in time is killed; it gives its requests 10 s. */
const STOP_DEADLINE_MS = 15_000;
const STOPPED_BY: ReadonlySet<string | null> = new Set(['SIGINT', 'SIGTERM']);

/** What a process says once it listens; other messages pass the same channel. */
export interface ListeningMessage {
  /** The introduction of the service, of the first process. */
  readonly listens: string;
}

export interface ApiProcesses {
  /** What to show of the service. */
  readonly introduction: string;
  /** Resolves when all have listened or ended. */
  startOthers(): Promise<unknown>;
  /** Those that listen. A process that takes the place of another one has its number. */
  running(): readonly MetricSource[];
  stop(): Promise<void>;
}

interface Ending {
  readonly status: number | null;
  readonly signal: string | null;
}

interface ApiProcess {
  readonly worker: Worker;
  readonly ended: Promise<Ending>;
  /** What it said; null if it ended before. */
  readonly listens: Promise<string | null>;
}

/** Keeps `count` processes serving the API, restarting those that exit. Resolves when the first listens. */
export async function startApiProcesses(
  count: number,
  port: number,
  logger: AppLogger,
): Promise<ApiProcesses> {
  const running = new Map<Worker, { readonly number: number; hasStarted: boolean }>();
  const kept: Promise<void>[] = [];
  const environment = { WEB_CONCURRENCY: String(count), PORT: String(port) };
  let isStopping = false;

  const start = (...args: string[]): ApiProcess => {
    cluster.setupPrimary({ exec: API_PROCESS, args });
    const worker = cluster.fork(environment);
    // What cannot be sent because it is gone.
    worker.on('error', () => undefined);
    closeLostConnection(worker);
    const number = firstFree([...running.values()].map((source) => source.number));
    const source = { number, hasStarted: false };
    running.set(worker, source);
    const ended = endOf(worker).finally(() => running.delete(worker));
    const said = listeningOf(worker).then((introduction) => {
      source.hasStarted = true;
      return introduction;
    });
    return { worker, ended, listens: Promise.race([said, ended.then(() => null)]) };
  };

  const startAnother = (): ApiProcess => {
    const another = start();
    const { pid } = another.worker.process;
    void another.listens.then(
      (said) => said !== null && logger.debug({ pid }, 'another API process listens'),
    );
    return another;
  };

  const keepRunning = async (first: ApiProcess): Promise<void> => {
    for (let { worker, ended } = first; ; { worker, ended } = startAnother()) {
      const { status, signal } = await ended;
      if (isStopping) return;
      logger.error({ pid: worker.process.pid, status, signal }, 'an API process exited; restarting it');
      await sleep(RESTART_AFTER_MS);
      if (isStopping) return;
    }
  };

  const first = start(FIRST);
  const introduction = await first.listens;
  if (introduction === null) throw startFailure(await first.ended);
  kept.push(keepRunning(first));
  return {
    introduction,
    startOthers: () => {
      const others = Array.from({ length: count - 1 }, startAnother);
      kept.push(...others.map(keepRunning));
      return Promise.all(others.map(({ listens }) => listens));
    },
    running: () =>
      [...running].flatMap(([{ process: child }, { number, hasStarted }]) =>
        hasStarted ? [{ role: 'api' as const, number, child }] : [],
      ),
    stop: async () => {
      isStopping = true;
      signalAll(running.keys(), 'SIGTERM');
      const deadline = setTimeout(() => signalAll(running.keys(), 'SIGKILL'), STOP_DEADLINE_MS);
      await Promise.all(kept);
      clearTimeout(deadline);
    },
  };
}

/** The lowest number from 1 that is not taken. */
function firstFree(taken: readonly number[], number = 1): number {
  return taken.includes(number) ? firstFree(taken, number + 1) : number;
}

const endOf = (worker: Worker): Promise<Ending> =>
  new Promise((resolve) =>
    worker.once('exit', (status: number | null, signal: string | null) => resolve({ status, signal })),
  );

const listeningOf = (worker: Worker): Promise<string> =>
  new Promise((resolve) =>
    worker.on('message', (message: Partial<ListeningMessage>) => {
      if (message.listens !== undefined) resolve(message.listens);
    }),
  );

function signalAll(workers: Iterable<Worker>, signal: NodeJS.Signals): void {
  for (const { process: child } of workers) child.kill(signal);
}

/** A process that exits has printed why. */
function startFailure({ status, signal }: Ending): Error {
  if (STOPPED_BY.has(signal)) return new AlreadyReported(0);
  if (signal) return new StartError(`The service could not start: its first process was ended by ${signal}`);
  return new AlreadyReported(status ?? 1);
}

interface Handle {
  close(): void;
}

/** Closes the connection that a process is just getting when it ends: its client would wait forever. */
function closeLostConnection(worker: Worker): void {
  const child = worker.process;
  let handed: Handle | undefined;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]): boolean => {
    if (isHandle(handle)) handed = handle;
    return send(message, handle, ...rest);
  };
  child.on('internalMessage', ({ ack }: { ack?: number }) => {
    if (ack !== undefined) handed = undefined;
  });
  worker.once('exit', () => handed?.close());
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && 'close' in value;
