import type { ChosenJob } from '../../../platform/jobs/job-lane.js';
import type { FetchJob } from './upload-sources.service.js';
import type { FetchLimits } from './fetch-limits.js';
import { SourcePace } from './source-pace.js';

/** More would not fit into the column, nor make a difference. */
const MAX_PRIORITY = 1_000;

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
  readonly isOutranked: (priority: number) => Promise<boolean>;
  /** Called when a check has failed; it is repeated. */
  readonly onError: (error: unknown) => void;
}

/**
 * The slot that one attempt holds. It is released, whatever the server does: as soon as a source turns out to be slow,
 * and after a slice of time if others wait. Every slice raises the priority number of the job, so that those that have
 * had fewer come first.
 */
export class FetchSlot {
  private readonly startedAt = performance.now();
  private readonly pace: SourcePace;
  private readonly timer: NodeJS.Timeout;
  private readonly released = new AbortController();
  private next: NextFetch | undefined;
  private checking = false;
  private resumable = true;

  constructor(private readonly options: FetchSlotOptions) {
    this.pace = new SourcePace(options.limits, this.startedAt);
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
    const { job } = this.options;
    const slow = job.slowSlices === undefined && this.pace.isSlow(performance.now());
    return { job: slow ? { ...job, slowSlices: 0 } : job, priority: this.nextPriority() };
  }

  /** The server has answered; what follows is up to the service until it reads the body. */
  answered({ resumable }: { readonly resumable: boolean }): void {
    this.resumable = resumable;
    this.pace.receive(performance.now(), 0);
  }

  /** The body, as the source sends it. */
  async *measured(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    this.pace.wait(performance.now());
    for await (const chunk of body) {
      this.pace.receive(performance.now(), chunk.length);
      yield chunk;
      this.pace.wait(performance.now());
    }
  }

  end(): void {
    clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    const { job, isOutranked, onError } = this.options;
    if (this.checking) return;
    this.checking = true;
    try {
      const now = performance.now();
      if (job.slowSlices === undefined && this.pace.hasBeenSlow(now)) return this.release(0);
      if (now - this.startedAt < this.sliceMs()) return;
      if (!(await isOutranked(this.nextPriority()))) return;
      if (job.slowSlices !== undefined) this.release(job.slowSlices + 1);
      // What cannot be resumed needs a longer slice, and others should not have to wait for it.
      else this.release(this.resumable ? undefined : 0);
    } catch (error) {
      onError(error);
    } finally {
      this.checking = false;
    }
  }

  private sliceMs(): number {
    const { job, limits } = this.options;
    if (this.resumable || job.slowSlices === undefined) return limits.sliceMs;
    return limits.slowSliceMs * 2 ** Math.min(job.slowSlices, limits.doublings);
  }

  private nextPriority(): number {
    const { chosen, limits } = this.options;
    const slices = Math.max(1, Math.floor((performance.now() - this.startedAt) / limits.sliceMs));
    return Math.min(MAX_PRIORITY, chosen.priority + slices);
  }

  private release(slowSlices: number | undefined): void {
    const { recordingId } = this.options.job;
    this.next ??= { job: { recordingId, slowSlices }, priority: this.nextPriority() };
    this.end();
    this.released.abort();
  }
}
