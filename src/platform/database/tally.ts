import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { AppLogger } from '../logging/app-logger.js';

const FLUSH_INTERVAL_MS = 15_000;

/** Collects updates to rows and writes them in batches; those not yet written are lost if the process is killed. */
export abstract class Tally<Entry> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private entries = new Map<string, Entry>();
  private timer: NodeJS.Timeout | undefined;

  /** `what` names the data in the log when writing fails. */
  protected constructor(
    private readonly what: string,
    private readonly logger: AppLogger,
    private readonly everyMs = FLUSH_INTERVAL_MS,
  ) {}

  /** Combines a new entry of a row with the earlier ones. */
  protected abstract merge(before: Entry, after: Entry): Entry;

  /** Writes entries, keyed by row id; other processes write to the same rows. */
  protected abstract write(entries: ReadonlyMap<string, Entry>): Promise<void>;

  /** Number of entries that wait to be written. */
  protected get size(): number {
    return this.entries.size;
  }

  protected has(id: string): boolean {
    return this.entries.has(id);
  }

  protected add(id: string, entry: Entry): void {
    const before = this.entries.get(id);
    this.entries.set(id, before === undefined ? entry : this.merge(before, entry));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), this.everyMs);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Entries of a failed write are retried with the next one. */
  async flush(): Promise<void> {
    if (this.entries.size === 0) return;
    const batch = this.entries;
    this.entries = new Map();
    try {
      await this.write(batch);
    } catch (error) {
      const since = this.entries;
      this.entries = batch;
      for (const [id, entry] of since) this.add(id, entry);
      this.logger.warn({ err: error }, `Could not write ${this.what}; will retry`);
    }
  }
}
