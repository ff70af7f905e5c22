import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { JobOptions } from '../../platform/jobs/enqueue.queries.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import {
  Attempt,
  RefusedError,
  type Step,
  type StepName,
  type StepQueue,
  STEPS,
  SupersededError,
} from './public/steps.js';
import { UnplayableMediaError } from '../../lib/media-engine/media.errors.js';

interface StepPayload {
  readonly recordingId: string;
}

/** The jobs of the steps: writes them, and runs them in any free worker. */
@Injectable()
export class StepJobsService {
  constructor(
    private readonly jobs: JobsService,
    private readonly logger: AppLogger,
  ) {}

  /** Registers what runs the jobs of a step; called by its module on startup. */
  handle<Payload extends StepPayload, Job extends StepPayload>(
    name: StepName,
    step: Step<Payload, Job>,
  ): void {
    const { task, key, lane, quiet }: StepQueue = STEPS[name];
    this.jobs.handle<Payload>(
      task,
      async (payload, stop, chosen) => {
        const job = await step.begin(payload);
        if (job) await runAttempt(step, new Attempt(name, job, chosen, stop), this.logger);
      },
      {
        lane,
        ...(quiet && { quiet }),
        onExhausted: async (jobKey) => step.giveUp?.(jobKey.slice(key.length)),
      },
    );
  }

  /** Writes a job in the transaction of `manager`. It replaces one of the same recording that is waiting. */
  async enqueue<Payload extends StepPayload>(
    manager: EntityManager,
    name: StepName,
    payload: Payload,
    options: Pick<JobOptions, 'owner' | 'priority' | 'afterOwn' | 'group' | 'runAt' | 'keepsRunAt'>,
  ): Promise<void> {
    const { task, key, maxAttempts } = STEPS[name];
    await this.jobs.enqueue(manager, task, [payload], {
      key: key + payload.recordingId,
      maxAttempts,
      ...options,
    });
  }

  /** Returns whether a waiting job of the step would get the slot of an attempt if that had this `priority`. */
  isOutranked({ step, chosen }: Attempt<unknown>, priority: number): Promise<boolean> {
    return this.jobs.isOutranked(STEPS[step].task, { ...chosen, priority });
  }
}

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
    await step.fail?.(attempt, reason);
  } finally {
    stopWatching();
  }
}

/** Every second, stores progress and checks whether the attempt is current. A failed check changes nothing. */
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
