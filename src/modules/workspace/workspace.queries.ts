import type { EntityManager } from 'typeorm';
import { LOCKS } from '../../platform/database/lock-numbers.js';
import type { User } from '../users/entities/user.entity.js';

export type FoundUser = Readonly<Pick<User, 'id' | 'email' | 'name' | 'plan'>>;

/** Lets only one import run at a time, for as long as it takes: copying long videos, and waiting for another import. */
export async function lockImport(manager: EntityManager): Promise<void> {
  await manager.sql`SET LOCAL statement_timeout = 0`;
  await manager.sql`SET LOCAL idle_in_transaction_session_timeout = 0`;
  await manager.sql`SELECT pg_advisory_xact_lock(${LOCKS.import}::bigint)`;
}

/** Returns a row for each spelling in the file, because only PostgreSQL knows which of them it considers equal. */
export async function findUsersByEmail(
  manager: EntityManager,
  emails: readonly string[],
): Promise<(FoundUser & { readonly given: string })[]> {
  return manager.sql`
    SELECT given.email AS given, u.id, u.email, u.name, u.plan
    FROM unnest(${emails}::text[]) AS given (email) JOIN users u
      ON u.email_verified AND lower(u.email) = lower(given.email)`;
}

export async function findUserIds(manager: EntityManager, ids: readonly string[]): Promise<string[]> {
  const rows = await manager.sql<{ id: string }[]>`SELECT id FROM users WHERE id = ANY (${ids}::uuid[])`;
  return rows.map(({ id }) => id);
}

export async function findOrganizationIds(
  manager: EntityManager,
  ids: readonly string[],
  names: readonly string[],
): Promise<string[]> {
  const rows = await manager.sql<{ id: string }[]>`
    SELECT id FROM organizations
    WHERE id = ANY (${ids}::uuid[]) OR name = ANY (${names}::text[]) AND deleted_at IS NULL`;
  return rows.map(({ id }) => id);
}

/** Returns the organizations of folders, by the ids of these. */
export async function findFolderOwners(
  manager: EntityManager,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await manager.sql<{ id: string; owner: string }[]>`
    SELECT id, organization_id AS owner FROM folders WHERE id = ANY (${ids}::uuid[])`;
  return new Map(rows.map(({ id, owner }) => [id, owner]));
}
