import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { Tally } from '../../../platform/database/tally.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { addViews, type Views } from './share-views.queries.js';

/** Counts how often share links were opened, and when last. */
@Injectable()
export class ShareViewCountService extends Tally<Views> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    logger: AppLogger,
  ) {
    super('views of share links', logger);
  }

  count(linkId: string): void {
    this.add(linkId, { count: 1, last: this.clock.now() });
  }

  protected merge(before: Views, after: Views): Views {
    return { count: before.count + after.count, last: after.last };
  }

  protected async write(views: ReadonlyMap<string, Views>): Promise<void> {
    await transactionBy(this.dataSource, { kind: 'recipient' }, (manager) => addViews(manager, views));
  }
}
