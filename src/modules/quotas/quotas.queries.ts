import type { EntityManager } from 'typeorm';
import type { Plan, QuotaUse } from '../../policy/plans.js';
import type { OrganizationTerms } from './public/quota-terms.js';
import { sql } from '../../platform/database/sql.js';

/** Reads what a user has. `today` is the day in UTC. */
export async function readUseOfUser(
  manager: EntityManager,
  userId: string,
  today: string,
): Promise<QuotaUse> {
  const { use } = await sql(manager).row<{ use: QuotaUse }>`
    SELECT quota_usage_of(${userId}::uuid, ${today}::date) AS use`;
  return use;
}

/**
 * Makes other transactions that ask for room for this user wait for the end of this one, and reads plan and use;
 * undefined if the user has been deleted.
 */
export async function lockUseOfUser(
  manager: EntityManager,
  userId: string | null,
  today: string,
): Promise<{ plan: Plan; use: QuotaUse } | undefined> {
  const [row] = await sql(manager)<{ plan: Plan; use: QuotaUse }>`
    SELECT plan, lock_quota_usage(id, ${today}::date) AS use FROM users WHERE id = ${userId}`;
  return row;
}

/** The same for an organization. */
export async function lockUseOfOrganization(
  manager: EntityManager,
  organizationId: string,
  today: string,
): Promise<(OrganizationTerms & { use: QuotaUse }) | undefined> {
  const [row] = await sql(manager)<OrganizationTerms & { use: QuotaUse }>`
    SELECT plan, subscription_status, subscription_ends_at, lock_quota_usage(id, ${today}::date) AS use
    FROM organizations WHERE id = ${organizationId}::uuid`;
  return row;
}

export async function deleteEarlierUses(manager: EntityManager, day: string): Promise<void> {
  await sql(manager)`DELETE FROM quota_usage WHERE day < ${day}::date`;
}

/** Adds up the rows of each scope, in one statement: if two run at once, one finds the rows gone. */
export async function foldUses(manager: EntityManager): Promise<void> {
  await sql(manager)`
    WITH fresh AS (SELECT DISTINCT scope_id FROM quota_usage WHERE NOT folded),
    taken AS (
      DELETE FROM quota_usage u USING fresh WHERE u.scope_id = fresh.scope_id
      RETURNING u.scope_id, u.day, u.recordings, u.stored_bytes, u.uploads)
    INSERT INTO quota_usage (scope_id, day, recordings, stored_bytes, uploads, folded)
    SELECT scope_id, day, sum(recordings), sum(stored_bytes), sum(uploads), true FROM taken
    GROUP BY scope_id, day HAVING sum(recordings) <> 0 OR sum(stored_bytes) <> 0 OR sum(uploads) <> 0`;
}
