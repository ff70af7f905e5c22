import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { LIMITS } from '../../contract/limits.js';
import { Clock } from '../../platform/clock.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { ErasureService } from '../erasure/erasure.service.js';

const DAY_MS = 86_400_000;
const BATCH = 5_000;

const FORGET_OLD = `
  WITH old AS (SELECT id FROM webhook_deliveries WHERE created_at < $1 ORDER BY created_at LIMIT ${BATCH})
  DELETE FROM webhook_deliveries USING old WHERE webhook_deliveries.id = old.id`;

const FORGET_SECRETS = 'DELETE FROM webhook_secrets WHERE expires_at < $1';

/** Removes, in batches, what was sent more than 30 days ago or to webhooks that no longer exist. */
@Injectable()
export class WebhookUpkeepService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly erasure: ErasureService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('webhooks.upkeep', (_, stop) => this.run(stop), { schedule: '37 * * * *' });
  }

  async run(stop?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    await this.dataSource.query(FORGET_SECRETS, [now]);
    const before = new Date(now.getTime() - LIMITS.eventDays * DAY_MS);
    for (let deleted = BATCH; deleted === BATCH;) {
      stop?.throwIfAborted();
      [, deleted] = await this.dataSource.query<[unknown[], number]>(FORGET_OLD, [before]);
    }
    // Those that were queued while their webhook was being deleted.
    await this.erasure.run({ of: 'webhook' }, stop);
  }
}
