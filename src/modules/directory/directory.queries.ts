import type { EntityManager } from 'typeorm';
import { sql } from '../../platform/database/sql.js';

/** Finds which of the groups with these names the users are in. */
export async function findGroupsOf(
  manager: EntityManager,
  organizationId: string,
  userIds: readonly string[],
  names: readonly string[],
): Promise<{ readonly userId: string; readonly displayName: string }[]> {
  return sql(manager)`
    SELECT m.user_id AS "userId", g.display_name AS "displayName"
    FROM directory_groups g JOIN directory_group_members m ON m.group_id = g.id
    WHERE g.organization_id = ${organizationId}::uuid AND g.display_name = ANY (${names}::text[])
      AND m.user_id = ANY (${userIds}::uuid[])`;
}

/** Finds members of groups, in the order of these, up to a number of members. */
export async function findMembersOf(
  manager: EntityManager,
  groupIds: readonly string[],
  limit: number,
): Promise<{ readonly groupId: string; readonly userId: string; readonly name: string }[]> {
  return sql(manager)`
    SELECT m.group_id AS "groupId", m.user_id AS "userId", COALESCE(u.display_name, u.user_name) AS name
    FROM unnest(${groupIds}::uuid[]) WITH ORDINALITY AS given (id, place)
    JOIN directory_group_members m ON m.group_id = given.id
    JOIN directory_users u USING (organization_id, user_id)
    ORDER BY given.place, m.user_id LIMIT ${limit}::int`;
}
