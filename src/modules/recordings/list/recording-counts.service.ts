import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { sql } from '../../../platform/database/sql.js';

const FOLD_JOB = 'recordings.fold-counts';

/**
 * Keeps the table of counts that the list adds up (`recording-list.hot.sql.ts`) small: triggers insert a row for every
 * change, and once a minute a worker folds the rows of each count into one.
 */
@Injectable()
export class RecordingCountsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(FOLD_JOB, () => this.fold(), { schedule: '* * * * *' });
  }

  /** One statement, so that the rows add up to the count at any moment; if two run at once, one finds them gone. */
  async fold(): Promise<void> {
    await sql(this.dataSource)`
      WITH fresh AS (SELECT DISTINCT scope_id, unit, since, status FROM recording_counts WHERE NOT folded),
      taken AS (
        DELETE FROM recording_counts c USING fresh
        WHERE (c.scope_id, c.unit, c.since, c.status) = (fresh.scope_id, fresh.unit, fresh.since, fresh.status)
        RETURNING c.scope_id, c.unit, c.since, c.status, c.n)
      INSERT INTO recording_counts (scope_id, unit, since, status, n, folded)
      SELECT scope_id, unit, since, status, sum(n), true FROM taken
      GROUP BY scope_id, unit, since, status HAVING sum(n) <> 0`;
  }
}
