/** Part of what is left of the limit that a process leases at a time. */
const LEASED_PART = 0.05;
/** Least part of the whole limit that it leases, so that the last points do not cost a statement each. */
const SMALLEST_PART = 0.01;
/** Part of the limit that a process may use before its lease arrives; the lease is charged with it. */
const CREDIT_PART = 0.01;

/** What `take` returns instead of the number of points left. */
export const REFUSED = -1;

/** Where counters get their points. */
export interface Leases {
  /** Leases points for the counter soon: calls `asked`, then `granted` or `failed`, and then resolves. */
  request(counter: LeasedCounter): Promise<void>;
  /** Sends what has been requested without further delay. */
  sendNow(): void;
}

/**
 * The points of one user or address for one minute, as far as they belong to this process. They are leased in advance, so
 * that `take` hardly ever waits.
 */
export class LeasedCounter {
  private readonly credit: number;
  /** How much of the credit may be used, given what all processes have taken. */
  private spare: number;
  private chunk: number;
  private leased = 0;
  private used = 0;
  private wanted = 0;
  private waiting = 0;
  /** By all processes, as of the last lease. */
  private taken = 0;
  private lease: Promise<void> | null = null;

  constructor(
    /** Unique per budget and user or address. */
    readonly id: string,
    readonly minute: number,
    private readonly limit: number,
    private readonly leases: Leases,
  ) {
    this.credit = Math.round(limit * CREDIT_PART);
    this.spare = this.credit;
    this.chunk = Math.ceil(limit * LEASED_PART);
  }

  /** Takes a point and returns how many are left over all processes, or `REFUSED`. Waits only without points and credit. */
  take(): number | Promise<number> {
    const left = this.leased + this.spare - this.used;
    if (left <= 0) return this.isLeasedOut() ? REFUSED : this.takeLater();
    this.used += 1;
    const enough = this.leased === 0 ? this.credit : this.chunk;
    if ((left - 1) * 2 <= enough && !this.isLeasedOut()) void this.ask();
    return Math.max(0, this.limit - this.taken + this.leased - this.used);
  }

  /** Whether every further request of this minute will be refused. */
  isSpent(): boolean {
    return this.isLeasedOut() && this.used >= this.leased;
  }

  /** Returns how many points to lease now. */
  asked(): number {
    this.wanted = this.chunk + this.waiting + Math.max(0, this.used - this.leased);
    return this.wanted;
  }

  /** `total` is what all processes have asked for, up to and including this request. */
  granted(total: number): void {
    const before = total - this.wanted;
    this.receive(Math.min(this.wanted, Math.max(0, this.limit - before)), Math.min(total, this.limit));
  }

  /** Without the database, each process keeps the limit by itself. */
  failed(): void {
    const points = Math.min(this.wanted, this.limit - this.taken);
    this.receive(points, this.taken + points);
  }

  private receive(points: number, taken: number): void {
    this.leased += points;
    this.taken = taken;
    const rest = this.limit - taken;
    this.spare = Math.min(this.credit, rest);
    this.chunk = Math.ceil(Math.max(this.limit * SMALLEST_PART, rest * LEASED_PART));
    this.lease = null;
  }

  /** Then this process gets no more points, and no credit. */
  private isLeasedOut(): boolean {
    return this.taken >= this.limit;
  }

  private ask(): Promise<void> {
    this.lease ??= this.leases.request(this);
    return this.lease;
  }

  private async takeLater(): Promise<number> {
    this.waiting += 1;
    const lease = this.ask();
    this.leases.sendNow();
    await lease;
    this.waiting -= 1;
    return this.take();
  }
}
