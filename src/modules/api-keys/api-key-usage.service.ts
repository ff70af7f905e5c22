import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Tally } from '../../platform/database/tally.js';
import { AppLogger } from '../../platform/logging/app-logger.js';

/** When keys were last used. */
@Injectable()
export class ApiKeyUsageService extends Tally<Date> {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    logger: AppLogger,
  ) {
    super('when API keys were last used', logger);
  }

  touch(apiKeyId: string, now: Date): void {
    this.add(apiKeyId, now);
  }

  protected merge(_before: Date, after: Date): Date {
    return after;
  }

  /** Another process may have seen a later use. */
  protected async write(used: ReadonlyMap<string, Date>): Promise<void> {
    await this.dataSource.query(
      `UPDATE api_keys k SET last_used_at = GREATEST(k.last_used_at, used.at)
       FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at) WHERE k.id = used.id`,
      [[...used.keys()], [...used.values()]],
    );
  }
}
