import type { LeftBehind, DisabledWebhook } from '../public/departure.response.dto.js';
import type { EntityManager } from 'typeorm';
import { ROLES } from '../../../policy/roles.js';
import type { MemberId } from '../public/member-key.js';

/** Makes another member responsible for the webhooks that this one is responsible for. */
export async function handOverWebhooks(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
  to: string,
): Promise<void> {
  await manager.sql`
    UPDATE webhooks SET created_by = ${to}::uuid
    WHERE organization_id = ${organizationId}::uuid AND created_by = ${userId}::uuid`;
}

/** Locks what they own, and what they share: creating and deleting a share link locks the recording first. */
export async function lockRecordingsOfMember(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
): Promise<void> {
  await manager.sql`
    SELECT FROM recordings
    WHERE organization_id = ${organizationId}::uuid
      AND (owner_id = ${userId}::uuid OR id IN (
        SELECT recording_id FROM share_links WHERE created_by = ${userId}::uuid AND organization_id = ${organizationId}::uuid))
    ORDER BY id FOR NO KEY UPDATE`;
}

export async function countEnding(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
): Promise<Pick<LeftBehind, 'shareLinks' | 'invitations'>> {
  const [row] = await manager.sql<Pick<LeftBehind, 'shareLinks' | 'invitations'>[]>`
    SELECT
      (SELECT count(*)::int FROM share_links
       WHERE organization_id = ${organizationId}::uuid AND created_by = ${userId}::uuid) AS "shareLinks",
      (SELECT count(*)::int FROM invitations
       WHERE organization_id = ${organizationId}::uuid AND invited_by = ${userId}::uuid) AS invitations`;
  if (!row) throw new Error('An aggregate is one row');
  return row;
}

/** Finds the most privileged other member who is a person, of these the longest-standing one. */
export async function findSuccessor(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
): Promise<string | null> {
  const [row] = await manager.sql<{ user_id: string }[]>`
    SELECT m.user_id FROM organization_members m JOIN users u ON u.id = m.user_id AND u.service_of IS NULL
    WHERE m.organization_id = ${organizationId}::uuid AND m.user_id <> ${userId}::uuid
    ORDER BY array_position(${ROLES}::text[], m.role), m.created_at, m.user_id LIMIT 1`;
  return row?.user_id ?? null;
}

/** Gives at most `limit` recordings of a member to another, and returns how many these are. */
export async function handOverSomeRecordings(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
  to: string,
  limit: number,
): Promise<number> {
  const [, count] = await manager.sql<[unknown[], number]>`
    WITH batch AS (
      SELECT id FROM recordings WHERE organization_id = ${organizationId}::uuid AND owner_id = ${userId}::uuid
      LIMIT ${limit}::int)
    UPDATE recordings r SET owner_id = ${to}::uuid FROM batch WHERE r.id = batch.id`;
  return count;
}

/** Finds the webhooks that the trigger on memberships has disabled in this transaction. */
export async function findDisabledWebhooks(
  manager: EntityManager,
  { organizationId, userId }: MemberId,
): Promise<DisabledWebhook[]> {
  return manager.sql`
    SELECT id, organization_id AS "organizationId", url_masked AS url, description FROM webhooks
    WHERE organization_id = ${organizationId}::uuid AND created_by = ${userId}::uuid
      AND disabled_reason = 'creator_left' AND xmin = pg_current_xact_id()::xid
    ORDER BY created_at, id`;
}
