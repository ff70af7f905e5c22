import { PlatformError } from '../errors/platform-error.js';
import { METRICS } from '../telemetry/metrics.js';
import { countCores } from '../runtime/cores.js';

export interface FairQueueLimits {
  /** Tasks that run concurrently. */
  readonly atOnce: number;
  /** The same for each key. Default: the same as in total. */
  readonly atOnceEach?: number;
  /** The same for each key whose recent tasks were all cheap. Default: the same. */
  readonly atOnceIfCheap?: number;
  /** The same for each key whose tasks are expensive, while others have work. Default: the same. */
  readonly atOnceIfExpensive?: number;
  /** Maximum number of waiting tasks, over all keys. */
  readonly waiting: number;
  /** The same for each key. */
  readonly waitingEach: number;
}

export interface QueueOptions {
  readonly signal?: AbortSignal | undefined;
  /** Continues work that has already started: waits for a slot, but is never refused. */
  readonly accepted?: boolean | undefined;
  /** Milliseconds after which the next task may start although this one is still running. Default: never. */
  readonly slotMs?: number;
  /** The task takes its time because it waits, such as for bytes of a client; it does not count as expensive. */
  readonly waits?: boolean | undefined;
}

/** Gives a slot back; only the first call does. */
export type GiveBack = () => void;

/** Milliseconds that the tasks of a key cost: below the first, they are cheap; above the second, expensive. */
const CHEAP_MS = 10;
const EXPENSIVE_MS = 50;
/** The share of a task in the cost of its key, if it was cheaper than those before. A more expensive one counts in full. */
const CHEAPER_TASK = 0.1;
/** Keys whose cost is remembered. */
const MAX_KEYS = 1_000;
/** Tasks that run together share these, so that each takes longer and costs no more. */
const CORES = countCores();
/** Milliseconds for which somebody counts as present after their last task has started. */
const PRESENT_MS = 1_000;

const BUSY = 'The service is too busy; try again shortly.';
const BUSY_FOR_CALLER = 'Too many of your requests are already waiting; try again shortly.';

/**
 * Limits expensive work. Keys, usually callers, are served in rotation: others wait for at most one task of a caller
 * with many. A full queue refuses with 503 `SERVICE_UNAVAILABLE` and `Retry-After`. Callers whose tasks are cheap may
 * run more of them; expensive ones leave room for others as long as there are any.
 */
export class FairQueue {
  /** Waiting tasks by key; the key to be served next comes first. */
  private readonly lines = new Map<string, (() => void)[]>();
  private readonly runningOf = new Map<string, number>();
  private running = 0;
  private waiting = 0;
  /** Those running that do not only wait. */
  private working = 0;
  /** The last two keys that had work, and when: enough to know whether there is another besides any given one. */
  private latest = { key: '', at: -Infinity };
  private earlier = this.latest;
  /** Milliseconds that the recent tasks of a key cost; the key that has had none for longest comes first. */
  private readonly costs = new Map<string, number>();

  constructor(private readonly limits: FairQueueLimits) {}

  /** Tasks that run, and that wait for a slot. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.running, waiting: this.waiting };
  }

  /** Runs `work` once it has a slot. If `signal` aborts before, throws its reason. */
  async run<T>(key: string, work: () => Promise<T>, options: QueueOptions = {}): Promise<T> {
    options.signal?.throwIfAborted();
    const giveBack = this.take(key, options) ?? (await this.wait(key, options));
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /** Takes a slot and returns what gives it back; null if the key has to wait for one. */
  take(key: string, options: QueueOptions = {}): GiveBack | null {
    this.present(key);
    // Not ahead of their own tasks that have waited for longer.
    if (this.lines.has(key) || !this.mayRun(key)) return null;
    this.begin(key);
    return this.slot(key, options);
  }

  /** Waits for a slot; returns what gives it back. Throws the reason of `signal` if it aborts before. */
  async wait(key: string, options: QueueOptions = {}): Promise<GiveBack> {
    if (!options.accepted) this.requireRoom(key);
    await this.waitForSlot(key, options.signal);
    return this.slot(key, options);
  }

  private slot(key: string, { slotMs, waits = false }: QueueOptions): GiveBack {
    const startedAt = performance.now();
    if (!waits) this.working += 1;
    const together = this.working;
    let isTaken = true;
    const giveBack = (): void => {
      if (!isTaken) return;
      isTaken = false;
      clearTimeout(timer);
      if (!waits) this.finish(key, performance.now() - startedAt, together);
      this.end(key);
    };
    // Keeps no process that stops from ending.
    const timer = slotMs === undefined ? undefined : setTimeout(giveBack, slotMs).unref();
    return giveBack;
  }

  /** Says that somebody has work now, here or elsewhere. */
  present(key: string): void {
    if (this.latest.key !== key) this.earlier = this.latest;
    this.latest = { key, at: performance.now() };
  }

  private mayRun(key: string): boolean {
    const { atOnce, atOnceEach = atOnce } = this.limits;
    const { atOnceIfCheap = atOnceEach, atOnceIfExpensive = atOnceEach } = this.limits;
    if (this.running >= atOnce) return false;
    const running = this.runningOf.get(key) ?? 0;
    const cost = this.costs.get(key);
    if (cost !== undefined && cost < CHEAP_MS) return running < atOnceIfCheap;
    const isExpensive = cost !== undefined && cost > EXPENSIVE_MS;
    return running < (isExpensive && this.hasOthers(key) ? atOnceIfExpensive : atOnceEach);
  }

  private hasOthers(key: string): boolean {
    const other = this.latest.key === key ? this.earlier : this.latest;
    return performance.now() - other.at < PRESENT_MS;
  }

  /** `together`: tasks that worked when this one started, itself included. */
  private finish(key: string, ms: number, together: number): void {
    const cost = (ms * CORES) / Math.max(CORES, together, this.working);
    this.working -= 1;
    const before = this.costs.get(key) ?? 0;
    this.costs.delete(key);
    this.costs.set(key, cost > before ? cost : before + CHEAPER_TASK * (cost - before));
    const [oldest] = this.costs.keys();
    if (this.costs.size > MAX_KEYS && oldest !== undefined) this.costs.delete(oldest);
  }

  private begin(key: string): void {
    this.running += 1;
    this.runningOf.set(key, (this.runningOf.get(key) ?? 0) + 1);
  }

  private requireRoom(key: string): void {
    const own = this.lines.get(key)?.length ?? 0;
    const isOwn = own >= this.limits.waitingEach;
    if (!isOwn && this.waiting < this.limits.waiting) return;
    METRICS.refusals.inc({ reason: isOwn ? 'queue_full_for_caller' : 'queue_full' });
    throw new PlatformError('SERVICE_UNAVAILABLE', isOwn ? BUSY_FOR_CALLER : BUSY);
  }

  private waitForSlot(key: string, signal?: AbortSignal): Promise<void> {
    const line = this.lines.get(key) ?? [];
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        line.splice(line.indexOf(start), 1);
        this.waiting -= 1;
        if (line.length === 0) this.lines.delete(key);
        reject(signal?.reason as Error);
      };
      line.push(start);
      this.lines.set(key, line);
      this.waiting += 1;
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private end(key: string): void {
    this.running -= 1;
    const left = (this.runningOf.get(key) ?? 1) - 1;
    if (left > 0) this.runningOf.set(key, left);
    else this.runningOf.delete(key);
    this.startNext();
  }

  /** A key whose task starts moves to the end, so that the others come first; the loop comes to it again there. */
  private startNext(): void {
    for (const [key, line] of this.lines) {
      if (this.running >= this.limits.atOnce) return;
      if (!this.mayRun(key)) continue;
      const start = line.shift();
      this.lines.delete(key);
      if (line.length > 0) this.lines.set(key, line);
      if (!start) continue;
      this.waiting -= 1;
      this.begin(key);
      start();
    }
  }
}
