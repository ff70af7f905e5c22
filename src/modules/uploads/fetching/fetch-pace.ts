import { Injectable } from '@nestjs/common';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../lib/durations.js';
import { LIMITS } from '../../../contract/limits.js';

/** How long a fetch may hold its slot while others wait for one, in milliseconds. */
@Injectable()
export class FetchLimits {
  /** Time over which the rate of a source is measured, again and again. */
  readonly paceMs: number = MINUTE_MS;
  /** A source below this is slow: a meeting of an hour, some 100 MB, would take more than a quarter of one. */
  readonly slowBytesPerSecond: number = 100_000;
  /** The rate of a source that breaks off is measured over at least this time; sooner, it is not judged. */
  readonly shortestPaceMs: number = 10 * SECOND_MS;
  /** After this, a fetch makes room for those that are waiting. */
  readonly sliceMs: number = 2 * MINUTE_MS;
  /** The same for a slow one that would have to start over; doubles with each slice. */
  readonly slowSliceMs: number = 10 * MINUTE_MS;
  /** How often it doubles: newer fetches wait meanwhile. */
  readonly doublings: number = 4;
  /** The time from the creation of the recording to the end of the last attempt. */
  readonly longestMs: number = LIMITS.fetchHours * HOUR_MS;
}

/** More would not fit into the column, nor make a difference. */
const MAX_PRIORITY = 1_000;

/**
 * How long an attempt keeps its slot: until the source turns out to be slow, or for a slice of time if others wait. The
 * rate counts minute by minute, while the service waits for the source.
 */
export class FetchPace {
  private readonly startedAt = performance.now();
  private bytes = 0;
  private waitedMs = 0;
  /** Null while the service processes what has arrived. */
  private waitingSince: number | null = this.startedAt;
  private isResumable = true;

  /** `slowSlices`: see `FetchJob`. */
  constructor(
    private readonly limits: FetchLimits,
    public slowSlices: number | undefined,
  ) {}

  /** The server has answered; what follows is up to the service until it reads the body. */
  answered(isResumable: boolean): void {
    this.isResumable = isResumable;
    this.receive(0);
  }

  /** The body, as the source sends it. */
  async *measured(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    this.waitingSince = performance.now();
    for await (const chunk of body) {
      this.receive(chunk.length);
      yield chunk;
      this.waitingSince = performance.now();
    }
  }

  /** Whether a minute has ended in which the source was slow. Begins the next one. */
  turnsOutSlow(): boolean {
    if (this.slowSlices !== undefined || this.waited() < this.limits.paceMs) return false;
    if (this.isSlow()) this.slowSlices = 0;
    this.bytes = 0;
    this.waitedMs = 0;
    if (this.waitingSince !== null) this.waitingSince = performance.now();
    return this.slowSlices === 0;
  }

  /** The source broke off: otherwise, a slow one would do so before each minute ends. */
  breakOff(): void {
    if (this.waited() >= this.limits.shortestPaceMs && this.isSlow()) this.slowSlices ??= 0;
  }

  isSliceOver(): boolean {
    const { sliceMs, slowSliceMs, doublings } = this.limits;
    const mayEnd = this.isResumable || this.slowSlices === undefined;
    const slice = mayEnd ? sliceMs : slowSliceMs * 2 ** Math.min(this.slowSlices ?? 0, doublings);
    return performance.now() - this.startedAt >= slice;
  }

  /** What cannot be resumed needs a longer slice, and others should not have to wait for it. */
  endSlice(): void {
    if (this.slowSlices !== undefined) this.slowSlices += 1;
    else if (!this.isResumable) this.slowSlices = 0;
  }

  /** The priority of the next job: with each slice its number is higher, so that those that have had fewer come first. */
  priorityAfter(priority: number): number {
    const slices = Math.floor((performance.now() - this.startedAt) / this.limits.sliceMs);
    return Math.min(MAX_PRIORITY, priority + Math.max(1, slices));
  }

  private receive(bytes: number): void {
    this.waitedMs = this.waited();
    this.waitingSince = null;
    this.bytes += bytes;
  }

  private isSlow(): boolean {
    return this.bytes < (this.limits.slowBytesPerSecond * this.waited()) / 1000;
  }

  private waited(): number {
    return this.waitedMs + (this.waitingSince === null ? 0 : performance.now() - this.waitingSince);
  }
}
