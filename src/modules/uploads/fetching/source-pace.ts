import type { FetchLimits } from './fetch-limits.js';

/**
 * The rate at which a source sends, minute by minute: what it sent in one minute does not count in the next. Only time
 * in which the service waits for the source counts. Times are in milliseconds.
 */
export class SourcePace {
  private bytes = 0;
  private waitedMs = 0;
  /** Null while the service processes what has arrived. */
  private waitingSince: number | null;

  /** The wait for the reply begins. */
  constructor(
    private readonly limits: Pick<FetchLimits, 'paceMs' | 'slowBytesPerSecond' | 'shortestPaceMs'>,
    now: number,
  ) {
    this.waitingSince = now;
  }

  wait(now: number): void {
    this.waitingSince = now;
  }

  receive(now: number, bytes: number): void {
    this.waitedMs = this.waited(now);
    this.waitingSince = null;
    this.bytes += bytes;
  }

  /** Whether a minute has ended in which the source was slow. Begins the next one. */
  hasBeenSlow(now: number): boolean {
    if (this.waited(now) < this.limits.paceMs) return false;
    const slow = this.isBelowLimit(now);
    this.bytes = 0;
    this.waitedMs = 0;
    if (this.waitingSince !== null) this.waitingSince = now;
    return slow;
  }

  /** Whether a source that breaks off now was slow: otherwise, a slow one would break off before each minute ends. */
  isSlow(now: number): boolean {
    return this.waited(now) >= this.limits.shortestPaceMs && this.isBelowLimit(now);
  }

  private isBelowLimit(now: number): boolean {
    return this.bytes < (this.limits.slowBytesPerSecond * this.waited(now)) / 1000;
  }

  private waited(now: number): number {
    return this.waitedMs + (this.waitingSince === null ? 0 : now - this.waitingSince);
  }
}
