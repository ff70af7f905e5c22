import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import { EVENT_COLUMNS, type PublishedEvent } from '../../change-log/change-publishing.service.js';
import { DeliveryQueueService } from '../delivery/delivery-queue.service.js';
import { WebhookFanoutService, type Candidate } from '../delivery/webhook-fanout.service.js';
import { WebhookAccessService } from '../webhook-access.service.js';
import { disabled } from './webhook-history.service.js';

const JOB = 'webhooks.replay';
const BATCH = 500;
/** After so many batches the job goes to the end of the queue. */
const BATCHES = 20;
const DAY_MS = 86_400_000;

interface ReplayJob {
  readonly webhookId: string;
  /** Who was responsible for the webhook; the replay ends once somebody else is. */
  readonly reader: string | null;
  /** ISO 8601. */
  readonly since: string;
  /** Events after this position are still to be read. */
  readonly after: string;
}

const WEBHOOK = `
  SELECT w.id, w.user_id AS "userId", w.types, w.created_by AS reader,
         CASE WHEN w.user_id IS NULL THEN ARRAY[w.organization_id] ELSE
           ARRAY(SELECT m.organization_id FROM organization_members m WHERE m.user_id = w.user_id) END AS "organizationIds"
  FROM webhooks w WHERE w.id = $1 AND w.enabled AND w.created_by = $2`;

/** An event is published after it has happened. */
const FIRST = 'SELECT position FROM events WHERE published_at >= $1 ORDER BY published_at, position LIMIT 1';

/** $3: organizations; $4: a user. */
const EVENTS = `
  SELECT ${EVENT_COLUMNS} FROM events
  WHERE position > $1 AND at >= $2 AND (organization_id = ANY ($3) OR user_id = $4)
  ORDER BY position LIMIT ${BATCH}`;

/** Sends a webhook all events again that happened since a time, by a job. */
@Injectable()
export class WebhookReplayService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly access: WebhookAccessService,
    private readonly fanout: WebhookFanoutService,
    private readonly queue: DeliveryQueueService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.jobs.handle<ReplayJob>(JOB, (job, stop) => this.run(job, stop));
  }

  /** `since`: within the last 30 days. 409 `CONFLICT` if the webhook is disabled. Replaces a replay that has not begun. */
  async start(caller: Caller, webhookId: string, since: Date): Promise<void> {
    const now = this.clock.now();
    if (since > now || since.getTime() < now.getTime() - LIMITS.eventDays * DAY_MS) {
      throw new DomainError(
        'VALIDATION_ERROR',
        `since: must be a time within the last ${LIMITS.eventDays} days`,
      );
    }
    await transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      const { id, enabled, createdBy } = await this.access.require(manager, caller, webhookId);
      if (!enabled) throw disabled();
      const [first]: { position: string }[] = await manager.query(FIRST, [since]);
      if (!first) return;
      const after = String(BigInt(first.position) - 1n);
      await this.enqueue(manager, { webhookId: id, reader: createdBy, since: since.toISOString(), after });
    });
  }

  private async run(job: ReplayJob, stop: AbortSignal): Promise<void> {
    let after: string | null = job.after;
    for (let batch = 0; batch < BATCHES && !stop.aborted && after !== null; batch += 1) {
      const position: string = after;
      after = await this.dataSource.transaction((manager) =>
        this.batch(manager, { ...job, after: position }),
      );
    }
    if (after === null) return;
    const rest = { ...job, after };
    await this.dataSource.transaction((manager) => this.enqueue(manager, rest));
  }

  /** Returns the position of its last event; null if there are no more. */
  private async batch(manager: EntityManager, job: ReplayJob): Promise<string | null> {
    const [webhook]: Candidate[] = await manager.query(WEBHOOK, [job.webhookId, job.reader]);
    if (!webhook) return null;
    const { organizationIds, userId, reader } = webhook;
    const events: PublishedEvent[] = await manager.query(EVENTS, [
      job.after,
      job.since,
      organizationIds,
      userId,
    ]);
    const queued = await this.fanout.of(manager, reader, [webhook], events);
    await this.queue.add(manager, queued, { again: true });
    return events.length === BATCH ? (events.at(-1)?.position ?? null) : null;
  }

  private async enqueue(manager: EntityManager, job: ReplayJob): Promise<void> {
    await this.jobs.enqueue(manager, JOB, [job], { key: `webhook-replay:${job.webhookId}` });
  }
}
