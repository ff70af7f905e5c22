import { LeasedCounter, type Leases } from './leased-counter.js';

const MINUTE_MS = 60_000;
/** Users or addresses per process. Forgetting one of them makes it lease again, which grants nothing beyond the limit. */
const MOST_COUNTERS = 20_000;

/** A limit per minute for each user or address. Minutes are those of the clock. */
export class Budget {
  /** For a header of every reply. */
  readonly limitText: string;
  private minute = 0;
  private counters = new Map<string, LeasedCounter>();

  constructor(
    readonly name: string,
    readonly limit: number,
    private readonly leases: Leases,
  ) {
    this.limitText = String(limit);
  }

  /** Takes a point of `key` and returns how many are left over all processes, or `REFUSED`. `now` is in milliseconds. */
  take(key: string, now: number): number | Promise<number> {
    this.turn(now);
    return (this.counters.get(key) ?? this.add(key)).take();
  }

  /** Whether `take` would refuse the key without asking the database. */
  isSpent(key: string, now: number): boolean {
    this.turn(now);
    return this.counters.get(key)?.isSpent() ?? false;
  }

  private turn(now: number): void {
    const minute = Math.floor(now / MINUTE_MS);
    if (minute === this.minute) return;
    this.minute = minute;
    this.counters = new Map();
  }

  private add(key: string): LeasedCounter {
    const [oldest] = this.counters.size < MOST_COUNTERS ? [] : this.counters.keys();
    if (oldest !== undefined) this.counters.delete(oldest);
    const counter = new LeasedCounter(`${this.name}:${key}`, this.minute, this.limit, this.leases);
    this.counters.set(key, counter);
    return counter;
  }
}

/** Whole seconds until the minute of `now` ends, at least 1. */
export function secondsLeft(now: number): number {
  return Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1_000);
}
