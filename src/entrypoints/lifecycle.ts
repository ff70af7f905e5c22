import { traceToSource } from '../lib/stack-traces.js';
import { StartError } from '../platform/config/settings.js';
import { isDatabaseAway } from '../platform/database/database-errors.js';
import type { AppLogger } from '../platform/logging/app-logger.js';
import { reasonOf } from '../platform/logging/dependency.js';
import { redact } from '../platform/logging/redact.js';

/** A part of the service that runs until it is stopped. */
export interface RunningService {
  readonly logger: AppLogger;
  stop(): Promise<void>;
}

/** A process of the service could not start, and has printed why. */
export class AlreadyReported extends Error {
  constructor(readonly status: number) {
    super('a process could not start');
  }
}

/** One Ctrl-C arrives twice: from the terminal, and forwarded by npm. Nobody presses it twice this quickly. */
const SAME_PRESS_MS = 500;
const FLUSH_DEADLINE_MS = 1_000;

interface RunOptions {
  /**
   * The process has the requests of many callers, and nobody starts it again: a promise that is rejected and not
   * awaited is a bug in one of them, and ends nothing. Without it, as in a worker, which is started again, it ends the
   * process.
   */
  readonly servesCallers?: boolean;
}

/** Aborts when the process is to stop, also while it starts. */
type Start = (stopping: AbortSignal) => Promise<RunningService>;

/** Starts, waits for SIGTERM or SIGINT, stops. A second signal ends the process at once. */
export function runUntilStopped(start: Start, options: RunOptions = {}): void {
  traceToSource();
  process.once('uncaughtException', fail);
  // Created before the start, so that a stop during the start leaves nothing running.
  void run(start, stopSignal(), options).catch(fail);
}

async function run(
  start: Start,
  stopped: Promise<string>,
  { servesCallers = false }: RunOptions,
): Promise<void> {
  const stopping = new AbortController();
  void stopped.then(() => stopping.abort());
  const { logger, stop } = await start(stopping.signal);
  handleBugs(logger, servesCallers);
  const signal = await stopped;
  // Of the processes of a service, the one that was started first speaks for those that it has started.
  const level = process.send ? 'debug' : 'info';
  logger[level]({ signal }, 'stopping');
  await stop();
  logger[level]('stopped');
  await logger.flush();
  process.exit(0);
}

/** The first signal to stop. The exit of a parent process with an IPC channel counts as one. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (signal: NodeJS.Signals): void => {
      first ??= performance.now();
      resolve(signal);
      if (performance.now() - first < SAME_PRESS_MS) return;
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    process.once('disconnect', () => resolve('disconnect'));
    // The parent may have exited while this process was loading.
    if (process.connected === false) resolve('disconnect');
  });
}

/** Writes them to the log, as far as that still can be written; Node would print them as they are, secrets included. */
function handleBugs(logger: AppLogger, servesCallers: boolean): void {
  if (servesCallers)
    process.on('unhandledRejection', (error) => logger.error({ err: error }, 'a rejection was not handled'));
  process.removeListener('uncaughtException', fail);
  process.once('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'an error was not handled; the process ends');
    void exitAfterFlush(logger);
  });
}

async function exitAfterFlush(logger: AppLogger): Promise<void> {
  // The error may have been that nothing can be written.
  setTimeout(() => process.exit(1), FLUSH_DEADLINE_MS);
  try {
    await logger.flush();
  } finally {
    process.exit(1);
  }
}

/** Operator errors are a single line; any other error is printed with its stack. */
function fail(error: unknown): never {
  if (error instanceof AlreadyReported) process.exit(error.status);
  process.stderr.write(`${redact(textOf(error))}\n`);
  process.exit(1);
}

function textOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (isDatabaseAway(error)) return `The database has gone away during the start: ${reasonOf(error)}`;
  return (error as Error).stack ?? String(error);
}
