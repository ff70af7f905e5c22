import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Tally } from '../../platform/database/tally.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { writeLastUses } from './api-keys.queries.js';

/** Notes when keys are used. */
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

  protected async write(used: ReadonlyMap<string, Date>): Promise<void> {
    await writeLastUses(this.dataSource.manager, used);
  }
}
