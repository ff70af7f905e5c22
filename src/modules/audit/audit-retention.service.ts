import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import {
  deleteSealLists,
  detachPartition,
  dropTable,
  findDetached,
  findPartitionsUntil,
  isSealingDue,
  readTime,
} from './audit-retention.queries.js';
import { firstKept } from './seals/seal.js';

/** The number of seals whose lists one statement deletes. */
const BATCH = 200;

/**
 * Drops the months of the log in which every row is older than `AUDIT_DAYS`. A month is detached concurrently, which
 * makes nobody wait, and dropped when nothing uses it any more.
 */
@Injectable()
export class AuditRetentionService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'auditDays'>,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('audit.retention', (_, stop) => this.run(stop), { schedule: '41 * * * *' });
  }

  /** A month in which rows wait for their seal is left to the next run. */
  async run(stop?: AbortSignal): Promise<void> {
    const { manager } = this.dataSource;
    for (const name of await findDetached(manager)) await dropTable(manager, name);
    const before = firstKept(this.settings.auditDays, await readTime(manager));
    const partitions = await findPartitionsUntil(manager, before);
    let dropped: Date | null = null;
    for (const partition of partitions.toSorted((a, b) => a.to.getTime() - b.to.getTime())) {
      stop?.throwIfAborted();
      if (await isSealingDue(manager, partition.to)) return;
      await detachPartition(manager, partition);
      await dropTable(manager, partition.name);
      dropped = partition.to;
    }
    while ((await deleteSealLists(manager, dropped ?? before, BATCH)) === BATCH);
  }
}
