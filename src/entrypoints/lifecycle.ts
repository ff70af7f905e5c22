import { StartError } from '../platform/config/settings.js';
import type { AppLogger } from '../platform/logging/app-logger.js';
import { redact } from '../platform/logging/redact.js';

/** A part of the service that runs until it is stopped. */
export interface RunningService {
  readonly logger: AppLogger;
  stop(): Promise<void>;
}

/** One Ctrl-C arrives twice: from the terminal, and forwarded by npm. Nobody presses it twice this quickly. */
const SAME_PRESS_MS = 500;

/** Starts, waits for SIGTERM or SIGINT, stops. A second signal ends the process at once. */
export function runUntilStopped(start: () => Promise<RunningService>): void {
  // Created before the start, so that a stop during the start leaves nothing running.
  run(start, stopSignal()).catch(fail);
}

async function run(start: () => Promise<RunningService>, stopped: Promise<string>): Promise<void> {
  const { logger, stop } = await start();
  logger.info({ signal: await stopped }, 'stopping');
  await stop();
  logger.info('stopped');
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

/** Operator errors are a single line; any other error is printed with its stack. */
function fail(error: unknown): never {
  const text = error instanceof StartError ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`${redact(text)}\n`);
  process.exit(1);
}
