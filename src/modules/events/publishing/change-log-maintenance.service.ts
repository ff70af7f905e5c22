import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock/clock.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { createPartitions, deleteEventsBefore } from './publishing.queries.js';
import { DAY_MS } from '../../../lib/durations.js';

const BATCH = 10_000;

/** Prepares the partitions of the months to come, and deletes events after `LIMITS.eventDays`. */
@Injectable()
export class ChangeLogMaintenanceService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('change-log.upkeep', () => this.run(), { schedule: '17 * * * *' });
  }

  async run(): Promise<void> {
    const { manager } = this.dataSource;
    await createPartitions(manager);
    const before = new Date(this.clock.now().getTime() - LIMITS.eventDays * DAY_MS);
    while ((await deleteEventsBefore(manager, before, BATCH)) === BATCH);
  }
}
