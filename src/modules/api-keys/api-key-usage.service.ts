import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { Tally } from '../../platform/database/tally.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { writeUses, type UsesOfKey } from './api-keys.queries.js';

/** Notes when and from where keys are used, and counts their requests of each day. */
@Injectable()
export class ApiKeyUsageService extends Tally<UsesOfKey> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    logger: AppLogger,
  ) {
    super('the use of API keys', logger);
  }

  touch(apiKeyId: string, at: Date, address: string | null): void {
    const day = at.toISOString().slice(0, 10);
    this.add(`${apiKeyId} ${day}`, { apiKeyId, at, address, requests: 1 });
  }

  protected merge(before: UsesOfKey, after: UsesOfKey): UsesOfKey {
    return { ...after, requests: before.requests + after.requests };
  }

  protected async write(uses: ReadonlyMap<string, UsesOfKey>): Promise<void> {
    await writeUses(this.dataSource.manager, [...uses.values()], this.clock.now());
  }
}
