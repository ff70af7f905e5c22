import type { ChosenJob } from '../../../platform/jobs/job-lane.js';
import type { StepName } from './steps.js';

/** The subject of the work was deleted, or another attempt has started: the result of this one is discarded. */
export class SupersededError extends Error {
  constructor() {
    super('Deleted, or superseded by another attempt');
    this.name = 'SupersededError';
  }
}

/** Trying again is pointless. The message is the `statusReason` that the user reads. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/**
 * A step on the way of a recording. Its job may die at any point and may run twice, even concurrently: of the attempts
 * in progress only one is current, and only its result is published.
 */
export interface Step<Payload, Job = Payload> {
  /** Returns the job with what the attempt starts from; null if there is nothing to do, or no longer. */
  readonly begin: (payload: Payload) => Promise<Job | null>;
  /** Ends with a transaction that locks what it changes, and throws `SupersededError` if the attempt is not current. */
  readonly run: (attempt: Attempt<Job>) => Promise<void>;
  /** Returns whether the attempt is current, and stores its progress. Called every second. */
  readonly isCurrent: (attempt: Attempt<Job>) => Promise<boolean>;
  /**
   * Returns why trying again is pointless, as the user reads it; null for an error after which the job is retried. It is
   * not asked about a `RefusedError`, nor about unplayable media.
   */
  readonly refusalOf?: (error: unknown) => string | null;
  /** Records a refusal, if the attempt is current. */
  readonly fail: (attempt: Attempt<Job>, reason: string) => Promise<void>;
  /** Enqueues the job again, because the process is stopping or the attempt has given way. */
  readonly again: (attempt: Attempt<Job>) => Promise<void>;
  /** Records that the last attempt has failed; may be called twice. */
  readonly giveUp: (recordingId: string) => Promise<void>;
}

/** One attempt at a step, in one run of its job. */
export class Attempt<Job> {
  /** A number from 0 to 1; null until the work has set it. */
  progress: number | null = null;
  /** Aborts when the process is stopping, the attempt gives way, or with `SupersededError`. */
  readonly signal: AbortSignal;
  private readonly superseded = new AbortController();
  private readonly yielded = new AbortController();

  constructor(
    readonly step: StepName,
    readonly job: Job,
    readonly chosen: ChosenJob,
    private readonly stop: AbortSignal,
  ) {
    this.signal = AbortSignal.any([stop, this.yielded.signal, this.superseded.signal]);
  }

  /** Ends the attempt, because another one is current. */
  supersede(): void {
    this.superseded.abort(new SupersededError());
  }

  /** Ends the attempt in favour of jobs that wait; it goes on later. `reason` is that of the signal. */
  giveWay(reason: Error): void {
    this.yielded.abort(reason);
  }

  get isSuperseded(): boolean {
    return this.superseded.signal.aborted;
  }

  get hasGivenWay(): boolean {
    return this.yielded.signal.aborted;
  }

  /** Whether it ended before its work was done, through no fault of the work. */
  get isInterrupted(): boolean {
    return this.stop.aborted || this.hasGivenWay;
  }
}
