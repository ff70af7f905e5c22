import type { EntityManager } from 'typeorm';
import type { Role } from '../../policy/roles.js';

/**
 * The user's role in an organization, unless that has been deleted. `lock`: the role stays as it is until the
 * transaction ends, since losing it disables what is enabled now.
 */
export async function findRole(
  manager: EntityManager,
  organizationId: string,
  userId: string,
  { lock }: { readonly lock: boolean },
): Promise<Role | undefined> {
  const [member] = await manager.sql<{ role: Role }[]>`
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
  const [, deleted] = await manager.sql<[unknown[], number]>`
    WITH old AS (SELECT id FROM webhook_deliveries WHERE created_at < ${time} ORDER BY created_at LIMIT ${limit}::int)
    DELETE FROM webhook_deliveries USING old WHERE webhook_deliveries.id = old.id`;
  return deleted;
}

/**
 * Deletes the secrets of a webhook that have expired, and all but the latest of those that the current one replaced.
 */
export async function deletePreviousSecrets(
  manager: EntityManager,
  webhookId: string,
  { now, kept }: { readonly now: Date; readonly kept: number },
): Promise<void> {
  await manager.sql`
    DELETE FROM webhook_secrets WHERE webhook_id = ${webhookId} AND (expires_at <= ${now} OR id IN (
      SELECT id FROM webhook_secrets WHERE webhook_id = ${webhookId} AND expires_at IS NOT NULL
      ORDER BY expires_at DESC, id DESC OFFSET ${kept}::int))`;
}
