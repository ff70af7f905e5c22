import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Clock } from '../../../platform/clock/clock.js';
import { Tally } from '../../../platform/database/tally.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { sql } from '../../../platform/database/sql.js';

interface Views {
  readonly count: number;
  readonly last: Date;
}

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

/** Adds views of links, by their ids; in order of id, so that two processes cannot deadlock. */
async function addViews(manager: EntityManager, views: ReadonlyMap<string, Views>): Promise<void> {
  const counted = [...views.values()];
  const counts = counted.map(({ count }) => count);
  const times = counted.map(({ last }) => last);
  await sql(manager)`
    WITH seen AS (
      SELECT l.id, s.count, s.last FROM share_links l
      JOIN unnest(${[...views.keys()]}::uuid[], ${counts}::int[], ${times}::timestamptz[]) AS s (id, count, last) ON s.id = l.id
      ORDER BY l.id FOR UPDATE OF l)
    UPDATE share_links l SET view_count = l.view_count + seen.count,
                             last_viewed_at = GREATEST(l.last_viewed_at, seen.last)
    FROM seen WHERE l.id = seen.id`;
}
