import type { LeasedCounter, Leases } from './leased-counter.js';

/** Points to lease for a user or address in a minute. */
export interface Lease {
  readonly id: string;
  readonly minute: number;
  readonly points: number;
}

/** Counts the points that all processes lease. */
export interface LeaseStore {
  /** Adds the points of each lease, at most one per id and minute; returns all points leased so far, in the same order. */
  add(leases: readonly Lease[]): Promise<readonly number[]>;
}

/** How long requests for leases are collected unless a request waits for one of them. */
const COLLECT_MS = 20;

interface Batch {
  readonly counters: LeasedCounter[];
  readonly send: () => void;
  readonly done: Promise<void>;
}

/** Requests leases in batches, one at a time. */
export class LeaseQueue implements Leases {
  private batch: Batch | null = null;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: LeaseStore,
    /** Called when the store fails; counters then grant points by themselves. */
    private readonly failed: (error: unknown) => void,
  ) {}

  request(counter: LeasedCounter): Promise<void> {
    this.batch ??= this.open();
    this.batch.counters.push(counter);
    return this.batch.done;
  }

  sendNow(): void {
    this.batch?.send();
  }

  /** Sends what is left. */
  async close(): Promise<void> {
    this.sendNow();
    await this.last;
  }

  private open(): Batch {
    let send = ignore;
    const due = new Promise<void>((resolve) => {
      send = resolve;
    });
    const timer = setTimeout(send, COLLECT_MS).unref();
    const counters: LeasedCounter[] = [];
    const before = this.last;
    const run = async (): Promise<void> => {
      await due;
      clearTimeout(timer);
      await before;
      this.batch = null;
      await this.lease(counters);
    };
    const batch = { counters, send, done: run() };
    this.last = batch.done;
    return batch;
  }

  private async lease(counters: readonly LeasedCounter[]): Promise<void> {
    const leases = together(counters);
    try {
      const totals = await this.store.add(leases.map(({ lease }) => lease));
      leases.forEach((one, index) => one.grant(totals[index] ?? 0));
    } catch (error) {
      this.failed(error);
      for (const counter of counters) counter.failed();
    }
  }
}

function ignore(): void {}

/** One lease per id and minute: a counter that was forgotten while it waited may have a successor in the same batch. */
function together(counters: readonly LeasedCounter[]): { lease: Lease; grant: (total: number) => void }[] {
  const groups = new Map<string, LeasedCounter[]>();
  for (const counter of counters) {
    const key = `${counter.minute} ${counter.id}`;
    groups.set(key, [...(groups.get(key) ?? []), counter]);
  }
  return [...groups.values()].map((group) => {
    const [{ id, minute }] = group as [LeasedCounter];
    const shares = group.map((counter) => ({ counter, points: counter.asked() }));
    const points = shares.reduce((sum, share) => sum + share.points, 0);
    const grant = (total: number): void => {
      let upTo = total - points;
      for (const share of shares) {
        upTo += share.points;
        share.counter.granted(upTo);
      }
    };
    return { lease: { id, minute, points }, grant };
  });
}
