import type { EntityManager } from 'typeorm';
import { rows, run, sql, type Sql } from '../../platform/database/sql.js';
import type { PublishedEvent } from '../events/public/published-event.js';

/** Time between two emails about a webhook, however often it is enabled again. */
const EVERY = '1 day';
/** The number of OWNERs of an organization who are emailed: those who have been members for the longest time. */
const MAX_OWNERS = 10;

/** The rows `c` of the log that these events publish. */
const loggedBy = (events: readonly PublishedEvent[]): Sql => sql`
  ${rows(
    [
      ['change_id', 'uuid', events.map(({ changeId }) => changeId)],
      ['at', 'timestamptz', events.map(({ at }) => at)],
    ],
    'event',
  )} JOIN change_log c ON c.at = event.at AND c.id = event.change_id`;

/**
 * Returns the webhooks that were disabled because their receivers failed, without those that had an email within a day,
 * and records it.
 */
export async function takeFailedWebhooks(
  manager: EntityManager,
  disabled: readonly PublishedEvent[],
): Promise<{ webhookId: string }[]> {
  const statement = sql`
    UPDATE webhooks w SET mailed_at = now() FROM ${loggedBy(disabled)} AND c.details ->> 'reason' IN ('gone', 'failures')
    WHERE w.id = c.target_id AND coalesce(w.mailed_at < now() - ${EVERY}::interval, true) RETURNING w.id AS "webhookId"`;
  const [webhooks] = await run<{ webhookId: string }[]>(manager, statement);
  return webhooks ?? [];
}

/**
 * Finds the OWNERs whose organization's webhooks lost their creator, except those who removed or demoted that member
 * themselves.
 */
export async function findOwnersToMail(
  manager: EntityManager,
  disabled: readonly PublishedEvent[],
): Promise<{ organizationId: string; userId: string }[]> {
  const statement = sql`
    SELECT DISTINCT c.organization_id AS "organizationId", o.user_id AS "userId"
    FROM ${loggedBy(disabled)} AND c.details ->> 'reason' = 'creator_left'
    CROSS JOIN LATERAL (
      SELECT m.user_id FROM organization_members m
      WHERE m.organization_id = c.organization_id AND m.role = 'OWNER' AND m.user_id IS DISTINCT FROM c.actor_id
      ORDER BY m.created_at, m.user_id LIMIT ${MAX_OWNERS}::int) AS o`;
  return run(manager, statement);
}

/**
 * Returns nothing if it has been enabled again, or deleted, or if the user only claims the address, which may be a
 * stranger's.
 */
export async function findDisabledMail(
  manager: EntityManager,
  webhookId: string,
): Promise<{ email: string; urlMasked: string; reason: 'gone' | 'failures' } | undefined> {
  const [found] = await manager.sql`
    SELECT u.email, w.url_masked AS "urlMasked", w.disabled_reason AS reason
    FROM webhooks w JOIN users u ON u.id = w.created_by AND u.email_verified
    WHERE w.id = ${webhookId} AND w.disabled_reason IN ('gone', 'failures')`;
  return found;
}

/**
 * Returns nothing if all have been enabled or deleted, or if the user is no longer an OWNER, or only claims the
 * address.
 */
export async function findResponsibilityMail(
  manager: EntityManager,
  organizationId: string,
  userId: string,
): Promise<{ email: string; organization: string; receivers: string } | undefined> {
  const [found] = await manager.sql`
    SELECT u.email, o.name AS organization, string_agg(w.url_masked, ' ' ORDER BY w.created_at, w.id) AS receivers
    FROM organizations o
    JOIN organization_members m ON m.organization_id = o.id AND m.user_id = ${userId} AND m.role = 'OWNER'
    JOIN users u ON u.id = m.user_id AND u.email_verified
    JOIN webhooks w ON w.organization_id = o.id AND w.disabled_reason = 'creator_left'
    WHERE o.id = ${organizationId} AND o.deleted_at IS NULL GROUP BY u.email, o.name`;
  return found;
}
