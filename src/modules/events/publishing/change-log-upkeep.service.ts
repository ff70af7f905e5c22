import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../../platform/clock.js';
import { LIMITS } from '../../../contract/limits.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';

const DAY_MS = 86_400_000;
const BATCH = 10_000;

const FORGET = `
  WITH old AS (SELECT position FROM events WHERE published_at < $1 ORDER BY published_at LIMIT ${BATCH})
  DELETE FROM events USING old WHERE events.position = old.position`;

/** Prepares the partitions of the months to come, and forgets events after 30 days. */
@Injectable()
export class ChangeLogUpkeepService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('change-log.upkeep', () => this.run(), { schedule: '17 * * * *' });
  }

  async run(): Promise<void> {
    await this.dataSource.query('SELECT create_change_log_partitions(now(), 3)');
    const before = new Date(this.clock.now().getTime() - LIMITS.eventDays * DAY_MS);
    for (let deleted = BATCH; deleted === BATCH;) {
      [, deleted] = await this.dataSource.query<[unknown[], number]>(FORGET, [before]);
    }
  }
}
