import type { FetchLimits } from './fetch-limits.js';

/**
 * The rate at which a source sends, minute by minute: what it sent in one minute does not count in the next. Only time in
 * which the service waits for the source counts. Times are in milliseconds.
 */
export class SourcePace {
  private bytes = 0;
  private waitedMs = 0;
  /** Null while the service is busy with what has arrived. */
  private waitsFrom: number | null;

  /** The wait for the reply begins. */
  constructor(
    private readonly limits: Pick<FetchLimits, 'paceMs' | 'slowBytesPerSecond' | 'hasteMs'>,
    now: number,
  ) {
    this.waitsFrom = now;
  }

  waits(now: number): void {
    this.waitsFrom = now;
  }

  arrived(now: number, bytes: number): void {
    this.waitedMs = this.waited(now);
    this.waitsFrom = null;
    this.bytes += bytes;
  }

  /** Whether a minute has ended in which the source was slow. Begins the next one. */
  fellShort(now: number): boolean {
    if (this.waited(now) < this.limits.paceMs) return false;
    const short = this.isShort(now);
    this.bytes = 0;
    this.waitedMs = 0;
    if (this.waitsFrom !== null) this.waitsFrom = now;
    return short;
  }

  /** Whether a source that breaks off now was slow: otherwise it would do so just before the minute ends, each time. */
  fallsShort(now: number): boolean {
    return this.waited(now) >= this.limits.hasteMs && this.isShort(now);
  }

  private isShort(now: number): boolean {
    return this.bytes < (this.limits.slowBytesPerSecond * this.waited(now)) / 1000;
  }

  private waited(now: number): number {
    return this.waitedMs + (this.waitsFrom === null ? 0 : now - this.waitsFrom);
  }
}
