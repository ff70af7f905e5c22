import type { EntityManager } from 'typeorm';
import { sql } from '../../platform/database/sql.js';

/** Finds the active ones of the users, and which of the groups with these names each is in; null: none. */
export async function findGroupsOf(
  manager: EntityManager,
  organizationId: string,
  userIds: readonly string[],
  names: readonly string[],
): Promise<{ readonly userId: string; readonly groups: readonly string[] | null }[]> {
  return sql(manager)`
    SELECT u.user_id AS "userId", array_agg(g.display_name) FILTER (WHERE g.id IS NOT NULL) AS groups
    FROM directory_users u
    LEFT JOIN (directory_groups g JOIN directory_group_members m ON m.group_id = g.id)
      ON m.user_id = u.user_id AND g.organization_id = ${organizationId}::uuid AND g.display_name = ANY (${names}::text[])
    WHERE u.organization_id = ${organizationId}::uuid AND u.user_id = ANY (${userIds}::uuid[]) AND u.active
    GROUP BY u.user_id`;
}

/** Finds the members of groups, in the order of the groups, up to `limit` members. */
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
