import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { AppLogger } from '../../platform/logging/app-logger.js';

const FLUSH_INTERVAL_MS = 15_000;

/** Collects when keys were last used and writes it for all of them at once, so that no request costs a write. */
@Injectable()
export class ApiKeyUsageService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private used = new Map<string, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly logger: AppLogger,
  ) {}

  touch(apiKeyId: string, now: Date): void {
    this.used.set(apiKeyId, now);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS);
    this.timer.unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** A write that fails is tried again with the next one. Another process may have seen a later use. */
  async flush(): Promise<void> {
    if (this.used.size === 0) return;
    const batch = this.used;
    this.used = new Map();
    try {
      await this.dataSource.query(
        `UPDATE api_keys k SET last_used_at = GREATEST(k.last_used_at, used.at)
         FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at) WHERE k.id = used.id`,
        [[...batch.keys()], [...batch.values()]],
      );
    } catch (error) {
      this.used = new Map([...batch, ...this.used]);
      this.logger.warn({ err: error }, 'Could not write when API keys were last used; trying again');
    }
  }
}
