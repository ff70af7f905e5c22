import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import {
  audienceOf,
  EVENT_TYPES,
  type Audience,
  type ChangeTypeName,
} from '../../../contract/change-catalog.js';
import { NotificationsService } from '../../../platform/database/notifications.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { WorkerLoop } from '../../../platform/jobs/worker-loop.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';

/** A change that has been committed, at its place among all others. */
export interface PublishedEvent {
  /** Whole number, as text because it may exceed 2^53. */
  readonly position: string;
  readonly at: Date;
  readonly changeId: string;
  readonly type: ChangeTypeName;
  readonly audience: Audience;
  readonly organizationId: string | null;
  readonly recordingId: string | null;
  /** The owner of a personal recording, or the user concerned. */
  readonly userId: string | null;
}

/** Acts on new events in the transaction that publishes them: exactly once. */
export type EventConsumer = (manager: EntityManager, events: readonly PublishedEvent[]) => Promise<void>;

/** Columns of the table `events` as a `PublishedEvent`. */
export const EVENT_COLUMNS = `position, at, change_id AS "changeId", type, audience, organization_id AS "organizationId",
  recording_id AS "recordingId", user_id AS "userId"`;

const BATCH = 500;
/** Arbitrary, but unlikely to be used by another program on the same database. */
const PUBLISH_LOCK = 7_345_190_116;

const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(${PUBLISH_LOCK}) AS locked`;

/** Also erases the addresses of requests that ended after their user was deleted: the job of the deletion has run before. */
const PUBLISH = `
  WITH taken AS (
    DELETE FROM unpublished_changes WHERE (at, change_id) IN (
      SELECT at, change_id FROM unpublished_changes ORDER BY at, change_id LIMIT ${BATCH})
    RETURNING at, change_id, seen_by, previously_seen_by
  ), late AS (
    UPDATE personal_details d SET value = NULL, salt = NULL FROM taken t
    WHERE d.at = t.at AND d.change_id = t.change_id AND d.kind = 'address' AND d.value IS NOT NULL
      AND d.user_id IS NOT NULL AND NOT EXISTS (SELECT FROM users u WHERE u.id = d.user_id)
  ), published AS (
    INSERT INTO events (published_at, at, change_id, type, audience, organization_id, recording_id, user_id,
      seen_by, previously_seen_by)
    SELECT clock_timestamp(), c.at, c.id, c.type, catalog.audience, c.organization_id, c.recording_id, c.user_id,
      t.seen_by, t.previously_seen_by
    FROM taken t
    JOIN change_log c ON c.at = t.at AND c.id = t.change_id
    JOIN unnest($1::text[], $2::text[]) AS catalog (type, audience) ON catalog.type = c.type
    ORDER BY c.at, c.id
    RETURNING ${EVENT_COLUMNS}
  )
  SELECT (SELECT count(*) FROM taken)::int AS taken, published.*
  FROM (VALUES (1)) AS always LEFT JOIN published ON true ORDER BY published.position`;

/** Of the event everything is null where nothing was published. */
type PublishedRow = PublishedEvent & { readonly taken: number };

/**
 * Gives committed changes their positions, in a worker process. One process at a time does it, so that a change never appears
 * before one that readers have already passed.
 */
@Injectable()
export class ChangePublishingService extends WorkerLoop implements OnModuleInit {
  private readonly consumers: EventConsumer[] = [];

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly jobs: JobsService,
    notifications: NotificationsService,
    logger: AppLogger,
  ) {
    super('changes', notifications, logger);
  }

  onModuleInit(): void {
    this.jobs.runAlongside(this);
  }

  /** Registers a consumer; called by a module on startup. */
  consume(consumer: EventConsumer): void {
    this.consumers.push(consumer);
  }

  /** If it fails, nothing of the last batch was published. */
  protected async round(): Promise<void> {
    while ((await this.publish()) === BATCH);
  }

  /** Returns how many changes were taken, published or not. */
  private async publish(): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const [lock]: { locked: boolean }[] = await manager.query(TRY_LOCK);
      if (!lock?.locked) return 0;
      const parameters = [EVENT_TYPES, EVENT_TYPES.map(audienceOf)];
      const rows: PublishedRow[] = await manager.query(PUBLISH, parameters);
      const events = rows.filter(({ position }) => position !== null);
      if (events.length > 0) {
        for (const consumer of this.consumers) await consumer(manager, events);
        await manager.query(`SELECT pg_notify('events', $1)`, [events.at(-1)?.position]);
      }
      return rows[0]?.taken ?? 0;
    });
  }
}
