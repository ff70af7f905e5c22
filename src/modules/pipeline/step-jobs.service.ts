import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { JobsService, type JobOptions } from '../../platform/jobs/jobs.service.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { Attempt, type Step } from './public/attempt.js';
import { STEPS, type StepName, type StepQueue } from './public/steps.js';
import { runAttempt } from './run-attempt.js';

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
      { lane, ...(quiet && { quiet }), onExhausted: (jobKey) => step.giveUp(jobKey.slice(key.length)) },
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
