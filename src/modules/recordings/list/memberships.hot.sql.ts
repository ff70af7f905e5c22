import type { DataSource } from 'typeorm';
import { asJson, readTimes, type JsonRow } from '../../../platform/database/json-row.js';
import { preparedQuery, type PreparedStatement } from '../../../platform/database/prepared-query.js';
import { ROLE_CATALOG, ROLES } from '../../../policy/roles.js';
import { selectList, TERMS } from '../access/public/columns.js';
import type { MembershipRow } from './visibility-slices.js';

const SEES_ALL = ROLES.filter((role) => ROLE_CATALOG[role].seesAll)
  .map((role) => `'${role}'`)
  .join(', ');

/** `$1`: the user; `$2`: one organization, or null for all; `$3`: these folders, or null for those that matter. */
const MEMBERSHIPS: PreparedStatement = {
  name: 'recording-memberships',
  shared: true,
  text: `
  SELECT ${asJson(`
         m.organization_id AS "organizationId", ${selectList(TERMS)},
         COALESCE(f.open, '[]'::json) AS "openFolders", COALESCE(f.closed, '[]'::json) AS "closedFolders"`)} AS membership
  FROM organization_members m JOIN organizations o ON o.id = m.organization_id
  CROSS JOIN LATERAL (
    SELECT json_agg(f.id) FILTER (WHERE f.open) AS open, json_agg(f.id) FILTER (WHERE NOT f.open) AS closed
    FROM (
      SELECT f.id, NOT f.restricted OR EXISTS (
        SELECT FROM folder_members fm WHERE fm.folder_id = f.id AND fm.user_id = $1) AS open
      FROM folders f WHERE f.organization_id = m.organization_id AND f.active AND CASE WHEN $3::uuid[] IS NULL
        THEN NOT (m.role IN (${SEES_ALL}) OR m.view_all_recordings) AND m.view_folder_recordings ELSE f.id = ANY ($3) END) f
  ) f
  WHERE m.user_id = $1 AND ($2::uuid IS NULL OR m.organization_id = $2)`,
};

/**
 * Finds the user's memberships, each with its organization's terms and the active folders that affect visibility.
 * Prepared: one plan per connection.
 */
export async function findMemberships(
  dataSource: DataSource,
  userId: string,
  organizationId: string | null,
  folderIds: readonly string[] | null,
): Promise<MembershipRow[]> {
  const values = [userId, organizationId, folderIds];
  const found = await preparedQuery<{ membership: JsonRow<MembershipRow> }>(dataSource, MEMBERSHIPS, values);
  return found.map(({ membership }) => readTimes<MembershipRow>({ ...membership }, ['subscriptionEndsAt']));
}
