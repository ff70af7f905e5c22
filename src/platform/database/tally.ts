import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { AppLogger } from '../logging/app-logger.js';

const FLUSH_INTERVAL_MS = 15_000;

/**
 * Collects what happened to rows and writes it for all of them at once, so that no request costs a write. What a process
 * has collected is lost when it is killed.
 */
export abstract class Tally<Entry> implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private entries = new Map<string, Entry>();
  private timer: NodeJS.Timeout | undefined;

  /** `what`: what is written, as told when it fails. */
  protected constructor(
    private readonly what: string,
    private readonly logger: AppLogger,
  ) {}

  /** Puts one more entry of a row together with those before. */
  protected abstract merge(before: Entry, after: Entry): Entry;

  /** Writes entries by id of their row; other processes write to the same rows. */
  protected abstract write(entries: ReadonlyMap<string, Entry>): Promise<void>;

  protected add(id: string, entry: Entry): void {
    const before = this.entries.get(id);
    this.entries.set(id, before === undefined ? entry : this.merge(before, entry));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** A write that fails is tried again with the next one. */
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
      this.logger.warn({ err: error }, `Could not write ${this.what}; trying again`);
    }
  }
}
