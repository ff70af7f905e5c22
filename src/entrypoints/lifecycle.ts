import { StartError } from '../platform/config/settings.js';
import type { AppLogger } from '../platform/logging/app-logger.js';
import { redact } from '../platform/logging/redact.js';

/** A part of the service that runs until it is stopped. */
export interface RunningService {
  readonly logger: AppLogger;
  stop(): Promise<void>;
}

/** One Ctrl-C arrives twice: from the terminal, and from npm, which hands it on. Nobody presses it as quickly again. */
const SAME_PRESS_MS = 500;

/** Starts, waits for SIGTERM or SIGINT, stops. A second signal ends the process at once. */
export function runUntilStopped(start: () => Promise<RunningService>): void {
  // Asked for from the beginning, so that a stop in the middle of the start leaves nothing running.
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

/** The first signal to stop. The end of a parent that holds a channel to this process counts as one. */
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
    // It may have happened while this process was still loading.
    if (process.connected === false) resolve('disconnect');
  });
}

/** One clear line for a mistake of whoever runs the service, the whole stack for one of ours. */
function fail(error: unknown): never {
  const text = error instanceof StartError ? error.message : ((error as Error).stack ?? String(error));
  process.stderr.write(`${redact(text)}\n`);
  process.exit(1);
}
