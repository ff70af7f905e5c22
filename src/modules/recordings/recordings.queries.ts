import type { EntityManager } from 'typeorm';
import { sql } from '../../platform/database/sql.js';

/** Locks recordings until the transaction ends, in the order of their ids, so that two transactions cannot deadlock. */
export async function lockRecordings(manager: EntityManager, ids: readonly string[]): Promise<void> {
  await sql(manager)`
    SELECT FROM recordings WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR UPDATE`;
}

export interface MovedRow {
  readonly ownerId: string | null;
  readonly storedBytes: string;
}

/**
 * Locks the organization, or that of the folder, and returns its id; null if there is none. Until the end of the
 * transaction, no member leaves it: see `OrganizationTransactions`.
 */
export async function lockDestination(
  manager: EntityManager,
  organizationId: string | null,
  folderId: string | null,
): Promise<string | null> {
  const [row] = await sql(manager)<{ id: string }>`
    SELECT id FROM organizations
    WHERE id = COALESCE(${organizationId}::uuid, (SELECT organization_id FROM folders WHERE id = ${folderId}::uuid))
    FOR SHARE`;
  return row?.id ?? null;
}

export async function findMembersAmong(
  manager: EntityManager,
  organizationId: string,
  userIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql(manager)<{ user_id: string }>`
    SELECT user_id FROM organization_members
    WHERE organization_id = ${organizationId}::uuid AND user_id = ANY (${userIds}::uuid[])`;
  return new Set(rows.map(({ user_id: id }) => id));
}

/** Moves recordings. The mover replaces an owner who is not a member there. A trigger ends the share links. */
export async function moveToOrganization(
  manager: EntityManager,
  ids: readonly string[],
  to: { readonly organizationId: string | null; readonly folderId: string | null },
  moverId: string,
  now: Date,
): Promise<MovedRow[]> {
  const { organizationId, folderId } = to;
  return sql(manager)<MovedRow>`
    UPDATE recordings r SET organization_id = ${organizationId}::uuid, folder_id = ${folderId}::uuid, placed_at = ${now}, updated_at = ${now},
      owner_id = CASE WHEN ${organizationId}::uuid IS NULL OR EXISTS (
        SELECT FROM organization_members m WHERE m.organization_id = ${organizationId}::uuid AND m.user_id = r.owner_id)
        THEN r.owner_id ELSE ${moverId}::uuid END
    WHERE r.id = ANY (${ids}::uuid[])
    RETURNING r.owner_id AS "ownerId", r.stored_bytes AS "storedBytes"`;
}

/** Finds the address of a user; null for one that they only claim: it may be a stranger's. */
export async function findVerifiedEmail(manager: EntityManager, userId: string): Promise<string | null> {
  const [user] = await sql(manager)<{ email: string }>`
    SELECT email FROM users WHERE id = ${userId} AND email_verified`;
  return user?.email ?? null;
}

/** What the email about moved recordings says. */
interface MoveNames {
  readonly email: string;
  readonly movedBy: string;
  readonly organization: string;
}

/** Finds the names for the email; undefined if the owner has left the organization. */
export async function findMoveNames(
  manager: EntityManager,
  move: { readonly movedBy: string; readonly ownerId: string; readonly organizationId: string },
): Promise<MoveNames | undefined> {
  const [names] = await sql(manager)<MoveNames>`
    SELECT owner.email, mover.name AS "movedBy", o.name AS organization
    FROM organization_members m
    JOIN users owner ON owner.id = m.user_id AND owner.email_verified
    JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
    JOIN users mover ON mover.id = ${move.movedBy}
    WHERE m.user_id = ${move.ownerId} AND m.organization_id = ${move.organizationId}`;
  return names;
}
