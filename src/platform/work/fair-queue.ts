import { PlatformError } from '../errors/platform-error.js';

export interface FairQueueLimits {
  /** Tasks that run concurrently. */
  readonly atOnce: number;
  /** Per key. Default: the same as in total. */
  readonly atOnceEach?: number;
  /** Maximum number of waiting tasks, over all keys. */
  readonly waiting: number;
  /** Per key. */
  readonly waitingEach: number;
}

export interface TurnOptions {
  /** Cancels the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Continues work that has already started: waits its turn, but is never refused. */
  readonly accepted?: boolean | undefined;
  /** Milliseconds after which the next task may start although this one is still running. Default: never. */
  readonly turnMs?: number;
}

const BUSY = 'The service is too busy; try again shortly.';
const BUSY_FOR_CALLER = 'Too many of your requests are already waiting; try again shortly.';

/**
 * Limits expensive work. Keys, usually callers, take turns: a caller with many requests waits for their own, and others
 * wait for at most one of them. If the queue is full, work is refused at once with 503 `SERVICE_UNAVAILABLE` and
 * `Retry-After`.
 */
export class FairQueue {
  /** Waiting tasks by key; the key whose turn is next comes first. */
  private readonly lines = new Map<string, (() => void)[]>();
  private readonly runningOf = new Map<string, number>();
  private running = 0;
  private waiting = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /**
   * Runs `work` when its turn comes. If `signal` aborts before, throws its reason and does not run `work`.
   */
  async run<T>(
    key: string,
    work: () => Promise<T>,
    { signal, accepted = false, turnMs }: TurnOptions = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    if (this.mayRun(key)) this.begin(key);
    else {
      if (!accepted) this.requireRoom(key);
      await this.turn(key, signal);
    }
    const end = once(() => this.end(key));
    const timer = turnMs === undefined ? undefined : setTimeout(end, turnMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      end();
    }
  }

  private mayRun(key: string): boolean {
    const { atOnce, atOnceEach = atOnce } = this.limits;
    return this.running < atOnce && (this.runningOf.get(key) ?? 0) < atOnceEach;
  }

  private begin(key: string): void {
    this.running += 1;
    this.runningOf.set(key, (this.runningOf.get(key) ?? 0) + 1);
  }

  private requireRoom(key: string): void {
    const own = this.lines.get(key)?.length ?? 0;
    if (own >= this.limits.waitingEach) throw new PlatformError('SERVICE_UNAVAILABLE', BUSY_FOR_CALLER);
    if (this.waiting >= this.limits.waiting) throw new PlatformError('SERVICE_UNAVAILABLE', BUSY);
  }

  private turn(key: string, signal?: AbortSignal): Promise<void> {
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

  private startNext(): void {
    for (const [key, line] of this.lines) {
      if (!this.mayRun(key)) continue;
      const start = line.shift();
      // Move the key to the end, so that the others come first.
      this.lines.delete(key);
      if (line.length > 0) this.lines.set(key, line);
      if (!start) continue;
      this.waiting -= 1;
      this.begin(key);
      start();
      return;
    }
  }
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
