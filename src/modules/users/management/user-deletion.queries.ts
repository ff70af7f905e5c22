import type { EntityManager } from 'typeorm';
import type { Role } from '../../../policy/roles.js';
import { sql, type Sql } from '../../../platform/database/sql.js';

export interface Membership {
  readonly organizationId: string;
  /** Null where they only own recordings: imported ones, whose owner need not be a member. */
  readonly role: Role | null;
}

/** Finds where a user is a member or owns recordings, in the order in which organizations are locked. */
export async function findMemberships(manager: EntityManager, userId: string): Promise<Membership[]> {
  return sql(manager)`
    SELECT o.id AS "organizationId", m.role FROM organizations o
    LEFT JOIN organization_members m ON m.organization_id = o.id AND m.user_id = ${userId}::uuid
    WHERE o.deleted_at IS NULL AND o.id IN (
      SELECT organization_id FROM organization_members WHERE user_id = ${userId}::uuid
      UNION SELECT organization_id FROM recordings WHERE owner_id = ${userId}::uuid)
    ORDER BY o.id`;
}

/** Also those in the bin. */
const personalOf = (ownerId: string): Sql => sql`(owner_id = ${ownerId}::uuid AND organization_id IS NULL
  OR deleted_owner_id = ${ownerId}::uuid AND deleted_organization_id IS NULL)`;

export async function lockPersonalRecordings(manager: EntityManager, ownerId: string): Promise<void> {
  await sql(manager)`
    SELECT FROM recordings WHERE ${personalOf(ownerId)} ORDER BY id FOR UPDATE`;
}

/** Takes the owner from at most `limit` personal recordings, and returns how many there were. */
export async function disownSomeRecordings(
  manager: EntityManager,
  ownerId: string,
  limit: number,
): Promise<number> {
  return sql(manager).count`
    WITH batch AS (
      SELECT id FROM recordings WHERE ${personalOf(ownerId)} LIMIT ${limit}::int)
    UPDATE recordings r SET owner_id = NULL, deleted_owner_id = NULL FROM batch WHERE r.id = batch.id`;
}

export async function hasMembershipsOrRecordings(manager: EntityManager, userId: string): Promise<boolean> {
  const found = await sql(manager)<object>`
    SELECT organization_id FROM organization_members WHERE user_id = ${userId}::uuid
    UNION ALL SELECT id FROM recordings WHERE ${personalOf(userId)} LIMIT 1`;
  return found.length > 0;
}
