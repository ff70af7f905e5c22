import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';

const FOLD_JOB = 'quotas.fold-usage';
const DAY_MS = 24 * 60 * 60 * 1000;

/** One statement, so that the rows of a scope add up at any moment; if two run at once, one finds the rows gone. */
const FOLD = `
  WITH fresh AS (SELECT DISTINCT scope_id FROM quota_usage WHERE NOT folded),
  taken AS (
    DELETE FROM quota_usage u USING fresh WHERE u.scope_id = fresh.scope_id
    RETURNING u.scope_id, u.day, u.recordings, u.stored_bytes, u.uploads)
  INSERT INTO quota_usage (scope_id, day, recordings, stored_bytes, uploads, folded)
  SELECT scope_id, day, sum(recordings), sum(stored_bytes), sum(uploads), true FROM taken
  GROUP BY scope_id, day HAVING sum(recordings) <> 0 OR sum(stored_bytes) <> 0 OR sum(uploads) <> 0`;

/** Keeps `quota_usage`, to which triggers add a row for every change, small. */
@Injectable()
export class QuotaUpkeepService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(FOLD_JOB, () => this.fold(), { schedule: '* * * * *' });
  }

  /** Adds up the rows of each scope, and removes those of days before yesterday. */
  async fold(): Promise<void> {
    const yesterday = new Date(this.clock.now().getTime() - DAY_MS).toISOString().slice(0, 10);
    await this.dataSource.query('DELETE FROM quota_usage WHERE day < $1', [yesterday]);
    await this.dataSource.query(FOLD);
  }
}
