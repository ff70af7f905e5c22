import type { EntityManager } from 'typeorm';
import type { Role } from '../../policy/roles.js';
import { tableOf, type Sql, sql } from '../../platform/database/sql.js';
import type { PublishedEvent } from '../events/public/published-event.js';

/** The user's role in an organization that exists. `lock`: losing it, which disables webhooks, has to wait. */
export async function findRole(
  manager: EntityManager,
  organizationId: string,
  userId: string,
  { lock }: { readonly lock: boolean },
): Promise<Role | undefined> {
  const [member] = await sql(manager)<{ role: Role }>`
    SELECT m.role FROM organizations o JOIN organization_members m ON m.organization_id = o.id AND m.user_id = ${userId}
    WHERE o.id = ${organizationId} AND o.deleted_at IS NULL ${() => (lock ? 'FOR SHARE OF m' : '')}`;
  return member?.role;
}

/** Deletes at most `limit` deliveries that were queued before a time. Returns how many. */
export async function deleteDeliveriesBefore(
  manager: EntityManager,
  time: Date,
  limit: number,
): Promise<number> {
  return sql(manager).count`
    WITH old AS (SELECT id FROM webhook_deliveries WHERE created_at < ${time} ORDER BY created_at LIMIT ${limit}::int)
    DELETE FROM webhook_deliveries USING old WHERE webhook_deliveries.id = old.id`;
}

/** Deletes the secrets that have expired, and all but the latest of those that the current one replaced. */
export async function deletePreviousSecrets(
  manager: EntityManager,
  webhookId: string,
  { now, kept }: { readonly now: Date; readonly kept: number },
): Promise<void> {
  await sql(manager)`
    DELETE FROM webhook_secrets WHERE webhook_id = ${webhookId} AND (expires_at <= ${now} OR id IN (
      SELECT id FROM webhook_secrets WHERE webhook_id = ${webhookId} AND expires_at IS NOT NULL
      ORDER BY expires_at DESC, id DESC OFFSET ${kept}::int))`;
}

/** Time between two emails about a webhook, however often it is enabled again. */
const EVERY = '1 day';
/** The number of OWNERs of an organization who are emailed: those who have been members for the longest time. */
const MAX_OWNERS = 10;

/** The rows `c` of the log that these events publish. */
const loggedBy = (events: readonly PublishedEvent[]): Sql => sql`
  ${tableOf(
    [
      ['change_id', 'uuid', events.map(({ changeId }) => changeId)],
      ['at', 'timestamptz', events.map(({ at }) => at)],
    ],
    'event',
  )} JOIN change_log c ON c.at = event.at AND c.id = event.change_id`;

/** Returns the webhooks that were disabled because their receivers failed, at most once a day, and records it. */
export async function takeFailedWebhooks(
  manager: EntityManager,
  disabled: readonly PublishedEvent[],
): Promise<{ webhookId: string }[]> {
  return sql(manager)`
    UPDATE webhooks w SET mailed_at = now() FROM ${loggedBy(disabled)} AND c.details ->> 'reason' IN ('gone', 'failures')
    WHERE w.id = c.target_id AND coalesce(w.mailed_at < now() - ${EVERY}::interval, true) RETURNING w.id AS "webhookId"`;
}

/** Finds the OWNERs of organizations whose webhooks lost their creator, without those who removed or demoted them. */
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
  return sql(manager)`${statement}`;
}

/** Returns nothing if it is enabled or deleted, or if the user's address is not verified: it may be a stranger's. */
export async function findDisabledMail(
  manager: EntityManager,
  webhookId: string,
): Promise<{ email: string; urlMasked: string; reason: 'gone' | 'failures' } | undefined> {
  const [found] = await sql(manager)<{ email: string; urlMasked: string; reason: 'gone' | 'failures' }>`
    SELECT u.email, w.url_masked AS "urlMasked", w.disabled_reason AS reason
    FROM webhooks w JOIN users u ON u.id = w.created_by AND u.email_verified
    WHERE w.id = ${webhookId} AND w.disabled_reason IN ('gone', 'failures')`;
  return found;
}

/** Returns nothing if all are enabled or deleted, or the user is no longer an OWNER or has no verified address. */
export async function findResponsibilityMail(
  manager: EntityManager,
  organizationId: string,
  userId: string,
): Promise<{ email: string; organization: string; receivers: string } | undefined> {
  const [found] = await sql(manager)<{ email: string; organization: string; receivers: string }>`
    SELECT u.email, o.name AS organization, string_agg(w.url_masked, ' ' ORDER BY w.created_at, w.id) AS receivers
    FROM organizations o
    JOIN organization_members m ON m.organization_id = o.id AND m.user_id = ${userId} AND m.role = 'OWNER'
    JOIN users u ON u.id = m.user_id AND u.email_verified
    JOIN webhooks w ON w.organization_id = o.id AND w.disabled_reason = 'creator_left'
    WHERE o.id = ${organizationId} AND o.deleted_at IS NULL GROUP BY u.email, o.name`;
  return found;
}
