import type { EntityManager } from 'typeorm';
import { audienceOf, EVENT_TYPES } from '../../../contract/changes/event-families.js';
import { LOCKS } from '../../../platform/database/lock-numbers.js';
import type { PublishedEvent } from '../public/published-event.js';
import { sql } from '../../../platform/database/sql.js';

/** Columns of the table `events` as a `PublishedEvent`. */
export const EVENT_COLUMNS = `position, at, change_id AS "changeId", type, audience, organization_id AS "organizationId",
  recording_id AS "recordingId", user_id AS "userId"`;

/** An event with the number of changes that were taken; all else is null if none of these is an event. */
type PublishedRow = PublishedEvent & { readonly taken: number };

/** Whether this transaction alone may publish, until it ends. */
export async function tryPublishingLock(manager: EntityManager): Promise<boolean> {
  const { locked } = await sql(manager).row<{ locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(${LOCKS.publishing}::bigint) AS locked`;
  return locked;
}

/**
 * Publishes the oldest changes that wait. `taken`: how many there were, events or not. Also erases the addresses and
 * clients of requests that ended after their user was deleted, when the job of the deletion had already run.
 */
export async function publishChanges(
  manager: EntityManager,
  limit: number,
): Promise<{ readonly events: readonly PublishedEvent[]; readonly taken: number }> {
  const rows = await sql(manager)<PublishedRow>`
    WITH taken AS (
      DELETE FROM unpublished_changes WHERE (at, change_id) IN (
        SELECT at, change_id FROM unpublished_changes ORDER BY at, change_id LIMIT ${limit}::int)
      RETURNING at, change_id, seen_by, previously_seen_by, traceparent
    ), late AS (
      UPDATE personal_details d SET value = NULL, salt = NULL FROM taken t
      WHERE d.at = t.at AND d.change_id = t.change_id AND d.kind IN ('address', 'client') AND d.value IS NOT NULL
        AND d.user_id IS NOT NULL AND NOT EXISTS (SELECT FROM users u WHERE u.id = d.user_id)
    ), published AS (
      INSERT INTO events (published_at, at, change_id, type, audience, organization_id, recording_id, user_id,
        seen_by, previously_seen_by, traceparent)
      SELECT clock_timestamp(), c.at, c.id, c.type, catalog.audience, c.organization_id, c.recording_id, c.user_id,
        t.seen_by, t.previously_seen_by, t.traceparent
      FROM taken t
      JOIN change_log c ON c.at = t.at AND c.id = t.change_id
      JOIN unnest(${EVENT_TYPES}::text[], ${EVENT_TYPES.map(audienceOf)}::text[]) AS catalog (type, audience)
        ON catalog.type = c.type
      ORDER BY c.at, c.id
      RETURNING ${() => EVENT_COLUMNS}
    )
    SELECT (SELECT count(*) FROM taken)::int AS taken, published.*
    FROM (VALUES (1)) AS always LEFT JOIN published ON true ORDER BY published.position`;
  return { events: rows.filter(({ position }) => position !== null), taken: rows[0]?.taken ?? 0 };
}

/** Wakes the streams of all processes once the transaction has committed. */
export async function notifyStreams(manager: EntityManager, { position }: PublishedEvent): Promise<void> {
  await sql(manager)`SELECT pg_notify('events', ${position}::text)`;
}

/** Creates the partitions of the change log for this month and the next ones. */
export async function createPartitions(manager: EntityManager): Promise<void> {
  await sql(manager)`SELECT create_change_log_partitions(now(), 3)`;
}

/** Deletes at most `limit` events that were published before a time. Returns how many. */
export async function deleteEventsBefore(manager: EntityManager, time: Date, limit: number): Promise<number> {
  return sql(manager).count`
    WITH old AS (SELECT position FROM events WHERE published_at < ${time} ORDER BY published_at LIMIT ${limit}::int)
    DELETE FROM events USING old WHERE events.position = old.position`;
}
