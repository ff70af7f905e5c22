import type { EntityManager } from 'typeorm';
import { sql } from '../../platform/database/sql.js';

/** A group that somebody is in. */
export interface GroupOfUser {
  readonly userId: string;
  readonly displayName: string;
}

/** Finds those of the users who are active, in any order. */
export async function findActive(
  manager: EntityManager,
  organizationId: string,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql(manager)<{ id: string }>`
    SELECT user_id AS id FROM directory_users
    WHERE organization_id = ${organizationId}::uuid AND user_id = ANY (${userIds}::uuid[]) AND active`;
  return rows.map(({ id }) => id);
}

/** Finds which of the groups with these names the users are in. */
export async function findGroupsOf(
  manager: EntityManager,
  organizationId: string,
  userIds: readonly string[],
  names: readonly string[],
): Promise<GroupOfUser[]> {
  return sql(manager)<GroupOfUser>`
    SELECT m.user_id AS "userId", g.display_name AS "displayName"
    FROM directory_groups g JOIN directory_group_members m ON m.group_id = g.id
    WHERE g.organization_id = ${organizationId}::uuid AND g.display_name = ANY (${names}::text[])
      AND m.user_id = ANY (${userIds}::uuid[])`;
}

/** A group that is changed. */
interface GroupId {
  readonly organizationId: string;
  readonly groupId: string;
}

export async function findMemberIds(
  manager: EntityManager,
  { groupId }: GroupId,
): Promise<readonly string[]> {
  const rows = await sql(manager)<{ id: string }>`
    SELECT user_id AS id FROM directory_group_members WHERE group_id = ${groupId}::uuid`;
  return rows.map(({ id }) => id);
}

/** Removes the users from a group, and returns those who were in it. */
export async function removeMembers(
  manager: EntityManager,
  { groupId }: GroupId,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql(manager)<{ id: string }>`
    DELETE FROM directory_group_members WHERE group_id = ${groupId}::uuid AND user_id = ANY (${userIds}::uuid[])
    RETURNING user_id AS id`;
  return rows.map(({ id }) => id);
}

/** Adds the users to a group, and returns those who were not in it. */
export async function addMembers(
  manager: EntityManager,
  { organizationId, groupId }: GroupId,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql(manager)<{ id: string }>`
    INSERT INTO directory_group_members (organization_id, group_id, user_id)
    SELECT organization_id, ${groupId}::uuid, user_id FROM directory_users
    WHERE organization_id = ${organizationId}::uuid AND user_id = ANY (${userIds}::uuid[])
    ON CONFLICT DO NOTHING RETURNING user_id AS id`;
  return rows.map(({ id }) => id);
}

/** Returns how many of the users the directory has. */
export async function countUsers(
  manager: EntityManager,
  organizationId: string,
  userIds: readonly string[],
): Promise<number> {
  return sql(manager).value`
    SELECT count(*)::int FROM directory_users
    WHERE organization_id = ${organizationId}::uuid AND user_id = ANY (${userIds}::uuid[])`;
}

export async function countMembersOf(
  manager: EntityManager,
  groupIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql(manager)<{ id: string; members: number }>`
    SELECT group_id AS id, count(*)::int AS members FROM directory_group_members
    WHERE group_id = ANY (${groupIds}::uuid[]) GROUP BY group_id`;
  return new Map(rows.map(({ id, members }) => [id, members]));
}

export interface MemberOfGroup {
  readonly groupId: string;
  readonly userId: string;
  readonly name: string;
}

export async function findMembersOf(
  manager: EntityManager,
  groupIds: readonly string[],
): Promise<MemberOfGroup[]> {
  return sql(manager)<MemberOfGroup>`
    SELECT m.group_id AS "groupId", m.user_id AS "userId", COALESCE(u.display_name, u.user_name) AS name
    FROM directory_group_members m JOIN directory_users u USING (organization_id, user_id)
    WHERE m.group_id = ANY (${groupIds}::uuid[]) ORDER BY m.user_id`;
}
