import { UnplayableMediaError } from '../../lib/media-engine/unplayable-media.error.js';
import type { AppLogger } from '../../platform/logging/app-logger.js';
import { STEPS } from './public/steps.js';
import { RefusedError, SupersededError, type Attempt, type Step } from './public/attempt.js';

const ROUND_MS = 1_000;

/** Runs an attempt at a step. Throws errors after which the queue retries the job later. */
export async function runAttempt<Job extends { readonly recordingId: string }>(
  step: Step<never, Job>,
  attempt: Attempt<Job>,
  logger: AppLogger,
): Promise<void> {
  const { recordingId } = attempt.job;
  const stopWatching = watch(step, attempt, logger);
  try {
    await step.run(attempt);
  } catch (error) {
    if (error instanceof SupersededError || attempt.isSuperseded) return;
    // The next available worker goes on or starts over; this does not count as a failure.
    if (attempt.isInterrupted) return await step.again(attempt);
    const isRefusal = error instanceof RefusedError || error instanceof UnplayableMediaError;
    const reason = isRefusal ? error.message : (step.refusalOf?.(error) ?? null);
    if (reason === null) throw error;
    logger.warn({ recordingId, err: error }, `${STEPS[attempt.step].log}: refused`);
    await step.fail(attempt, reason);
  } finally {
    stopWatching();
  }
}

/**
 * Every second, stores progress and checks whether the attempt is still current. A failed check, such as when the
 * database is unavailable, changes nothing: publishing checks again.
 */
function watch<Job extends { readonly recordingId: string }>(
  step: Step<never, Job>,
  attempt: Attempt<Job>,
  logger: AppLogger,
): () => void {
  let checking = false;
  const check = async (): Promise<void> => {
    if (checking) return;
    checking = true;
    try {
      if (!(await step.isCurrent(attempt))) attempt.supersede();
    } catch (error) {
      const { recordingId } = attempt.job;
      logger.warn(
        { recordingId, err: error },
        `${STEPS[attempt.step].log}: could not check whether the attempt is current`,
      );
    } finally {
      checking = false;
    }
  };
  const timer = setInterval(() => void check(), ROUND_MS);
  return () => clearInterval(timer);
}
