import type { ChosenJob } from '../../platform/jobs/job-lane.js';
import type { FetchJob } from '../uploads/upload-sources.service.js';
import type { FetchLimits } from './fetch-limits.js';
import { SourcePace } from './source-pace.js';

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
  /** Whether others wait for the slot who would come before the job if it had this number. */
  readonly isOutranked: (job: ChosenJob) => Promise<boolean>;
  /** A question that could not be answered is asked again. */
  readonly onError: (error: unknown) => void;
}

/**
 * The slot that one attempt holds. It is given back, whatever the server does: as soon as a source turns out to be slow, and
 * after a turn if others wait. Every turn raises the job's number, so that those that have had fewer come first.
 */
export class FetchSlot {
  private readonly from = performance.now();
  private readonly pace: SourcePace;
  private readonly timer: NodeJS.Timeout;
  private readonly over = new AbortController();
  private next: NextFetch | undefined;
  private looking = false;
  private resumable = true;

  constructor(private readonly options: FetchSlotOptions) {
    this.pace = new SourcePace(options.limits, this.from);
    this.timer = setInterval(() => void this.look(), options.limits.lookMs);
  }

  /** Aborts when the slot is given back. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** How the fetch goes on if the slot was given back. */
  get givenBack(): NextFetch | undefined {
    return this.next;
  }

  /** How it goes on after an interruption. */
  interrupted(): NextFetch {
    const { job } = this.options;
    const slow = job.slowTurns === undefined && this.pace.fallsShort(performance.now());
    return { job: slow ? { ...job, slowTurns: 0 } : job, priority: this.nextPriority() };
  }

  /** The server has answered; what follows is up to the service until it reads the body. */
  answered({ resumable }: { readonly resumable: boolean }): void {
    this.resumable = resumable;
    this.pace.arrived(performance.now(), 0);
  }

  /** The body, as the source sends it. */
  async *measured(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    this.pace.waits(performance.now());
    for await (const chunk of body) {
      this.pace.arrived(performance.now(), chunk.length);
      yield chunk;
      this.pace.waits(performance.now());
    }
  }

  end(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const { job, chosen, isOutranked, onError } = this.options;
    if (this.looking) return;
    this.looking = true;
    try {
      const now = performance.now();
      if (job.slowTurns === undefined && this.pace.fellShort(now)) return this.giveBack(0);
      if (now - this.from < this.turnMs()) return;
      if (!(await isOutranked({ ...chosen, priority: this.nextPriority() }))) return;
      if (job.slowTurns !== undefined) this.giveBack(job.slowTurns + 1);
      // It would start over, and so needs more time at once than others can wait for.
      else this.giveBack(this.resumable ? undefined : 0);
    } catch (error) {
      onError(error);
    } finally {
      this.looking = false;
    }
  }

  private turnMs(): number {
    const { job, limits } = this.options;
    if (this.resumable || job.slowTurns === undefined) return limits.turnMs;
    return limits.slowTurnMs * 2 ** Math.min(job.slowTurns, limits.doublings);
  }

  private nextPriority(): number {
    const { chosen, limits } = this.options;
    const turns = Math.max(1, Math.floor((performance.now() - this.from) / limits.turnMs));
    return Math.min(MOST_PRIORITY, chosen.priority + turns);
  }

  private giveBack(slowTurns: number | undefined): void {
    const { recordingId } = this.options.job;
    const job = slowTurns === undefined ? { recordingId } : { recordingId, slowTurns };
    this.next ??= { job, priority: this.nextPriority() };
    this.end();
    this.over.abort();
  }
}
