import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { LIMITS } from '../../contract/limits.js';
import { Clock } from '../../platform/clock.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';

/** Removes the deliveries of a deleted webhook. */
export const FORGET_JOB = 'webhooks.forget';

interface ForgetJob {
  readonly webhookId: string;
}

const DAY_MS = 86_400_000;
const BATCH = 5_000;

const FORGET_OLD = `
  WITH old AS (SELECT id FROM webhook_deliveries WHERE created_at < $1 ORDER BY created_at LIMIT ${BATCH})
  DELETE FROM webhook_deliveries USING old WHERE webhook_deliveries.id = old.id`;

const FORGET_OF = `
  WITH gone AS (SELECT id FROM webhook_deliveries WHERE webhook_id = $1 LIMIT ${BATCH})
  DELETE FROM webhook_deliveries USING gone WHERE webhook_deliveries.id = gone.id`;

/** Webhooks that have gone with their user or organization. */
const ORPHANED = `
  WITH RECURSIVE known AS (
    (SELECT webhook_id FROM webhook_deliveries ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.webhook_id FROM webhook_deliveries d WHERE d.webhook_id > known.webhook_id
            ORDER BY d.webhook_id LIMIT 1)
    FROM known WHERE known.webhook_id IS NOT NULL
  )
  SELECT webhook_id AS id FROM known
  WHERE webhook_id IS NOT NULL AND NOT EXISTS (SELECT FROM webhooks w WHERE w.id = webhook_id)`;

const FORGET_SECRETS = 'DELETE FROM webhook_secrets WHERE expires_at < $1';

/** Removes, in batches, what was sent more than 30 days ago or to webhooks that no longer exist. */
@Injectable()
export class WebhookUpkeepService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('webhooks.upkeep', (_, stop) => this.run(stop), { schedule: '37 * * * *' });
    this.jobs.handle<ForgetJob>(FORGET_JOB, ({ webhookId }, stop) => this.forget(FORGET_OF, webhookId, stop));
  }

  async run(stop?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    await this.dataSource.query(FORGET_SECRETS, [now]);
    await this.forget(FORGET_OLD, new Date(now.getTime() - LIMITS.eventDays * DAY_MS), stop);
    const orphaned = await this.dataSource.query<{ id: string }[]>(ORPHANED);
    for (const { id } of orphaned) await this.forget(FORGET_OF, id, stop);
  }

  private async forget(statement: string, parameter: unknown, stop?: AbortSignal): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH;) {
      stop?.throwIfAborted();
      [, deleted] = await this.dataSource.query<[unknown[], number]>(statement, [parameter]);
    }
  }
}
