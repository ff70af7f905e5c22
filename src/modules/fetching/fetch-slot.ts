import type { ChosenJob } from '../../platform/jobs/job-lane.js';
import type { FetchJob } from '../uploads/upload-sources.service.js';
import type { FetchLimits } from './fetch-limits.js';

/** More would not fit into the column, nor make a difference. */
const MOST_PRIORITY = 1_000;

/** How a fetch goes on in another job. */
export interface NextFetch {
  readonly job: FetchJob;
  readonly priority: number;
}

export interface FetchSlotOptions {
  readonly job: FetchJob;
  readonly chosen: ChosenJob;
  readonly limits: FetchLimits;
  /** Whether a waiting fetch would come before the job if it had this priority. */
  readonly isOutranked: (job: ChosenJob) => Promise<boolean>;
  /** Called when a check has failed; it is repeated. */
  readonly onError: (error: unknown) => void;
}

/**
 * The slot that one attempt holds. It is released after a turn if others wait, whatever the server does. Every turn raises the
 * priority number of the job, so that those that have had fewer come first.
 */
export class FetchSlot {
  /** Whether the server can send the rest of the file later. */
  resumable = true;
  private readonly startedAt = performance.now();
  private readonly timer: NodeJS.Timeout;
  private readonly released = new AbortController();
  private next: NextFetch | undefined;
  private checking = false;

  constructor(private readonly options: FetchSlotOptions) {
    this.timer = setInterval(() => void this.check(), options.limits.checkMs);
  }

  /** Aborts when the slot is released. */
  get signal(): AbortSignal {
    return this.released.signal;
  }

  /** How the fetch goes on if the slot was released. */
  get afterRelease(): NextFetch | undefined {
    return this.next;
  }

  /** How it goes on after an interruption. */
  afterInterruption(): NextFetch {
    const { chosen, job, limits } = this.options;
    const turns = Math.max(1, Math.floor((performance.now() - this.startedAt) / limits.turnMs));
    return { job, priority: Math.min(MOST_PRIORITY, chosen.priority + turns) };
  }

  end(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    if (this.checking || performance.now() - this.startedAt < this.turnMs()) return;
    this.checking = true;
    try {
      const { priority } = this.afterInterruption();
      if (await this.options.isOutranked({ ...this.options.chosen, priority })) this.release();
    } catch (error) {
      this.options.onError(error);
    } finally {
      this.checking = false;
    }
  }

  private turnMs(): number {
    const { job, limits } = this.options;
    if (this.resumable || job.longTurns === undefined) return limits.turnMs;
    return limits.longTurnMs * 2 ** Math.min(job.longTurns, limits.doublings);
  }

  private release(): void {
    const { job, priority } = this.afterInterruption();
    const { recordingId, longTurns = -1 } = job;
    // What cannot be resumed needs a longer turn, and others should not have to wait for it.
    this.next = { job: this.resumable ? job : { recordingId, longTurns: longTurns + 1 }, priority };
    this.end();
    this.released.abort();
  }
}
