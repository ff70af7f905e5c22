import type { DataSource } from 'typeorm';
import { asJson, readTimes, type JsonRow } from '../../../platform/database/json-row.js';
import { preparedQuery, type PreparedStatement } from '../../../platform/database/prepared-query.js';
import { run } from '../../../platform/database/sql.js';
import { cursorPage, type CursorPage } from '../../../platform/http/replies/cursor.js';
import { ROLE_CATALOG, ROLES } from '../../../policy/roles.js';
import { selectList } from '../access/public/columns.js';
import { TERMS } from '../access/public/terms.sql.js';
import type { ListedRow } from './public/listed-recording.sql.js';
import { isCounted } from './recording-filters.sql.js';
import { listStatement, type ListQuery } from './recording-list.sql.js';
import type { MembershipRow } from './recording-scope.js';

/** There is always a first row with the total, even when the page is empty. */
type FoundRow = ListedRow & { readonly total: string; readonly id: string | null };

export type ListedPage = CursorPage<ListedRow> & { readonly total: number };

const SEES_ALL = ROLES.filter((role) => ROLE_CATALOG[role].seesAll)
  .map((role) => `'${role}'`)
  .join(', ');

/** `$1`: the user; `$2`: one organization, or null for all; `$3`: these folders, or null for those that matter. */
const MEMBERSHIPS: PreparedStatement = {
  name: 'recording-memberships',
  shared: true,
  text: `
  SELECT ${asJson(`
         m.organization_id, ${selectList(TERMS)},
         COALESCE(f.open, '[]'::json) AS open_folders, COALESCE(f.closed, '[]'::json) AS closed_folders`)} AS membership
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

/** The statements by their text. There is one per combination of scope and filters: a few dozen. */
const statements = new Map<string, PreparedStatement>();

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
  return found.map(({ membership }) => readTimes<MembershipRow>({ ...membership }, ['subscription_ends_at']));
}

/** Finds a page, whether there are more, and the total, by one statement and therefore from one snapshot. */
export async function findPage(dataSource: DataSource, query: ListQuery): Promise<ListedPage> {
  const found = query.slices.length === 0 ? [] : await read(dataSource, query);
  const rows = found[0]?.id === null ? [] : found;
  const page = cursorPage(rows, query.limit, ({ id, created_at: createdAt }) => ({ id, createdAt }));
  return { ...page, total: Number(found[0]?.total ?? 0) };
}

/** Prepared, unless the best plan depends on what is searched: totals from counts take 0.9 ms instead of 22 in all. */
async function read(dataSource: DataSource, query: ListQuery): Promise<FoundRow[]> {
  const statement = listStatement(query);
  if (!isCounted(query.filters)) return run(dataSource, statement);
  const { text, values } = statement.toQuery();
  // With the first one's text: each request's own, 2 kB, would be kept until the reply.
  const known = statements.get(text) ?? { name: `recording-list-${statements.size}`, text };
  statements.set(text, known);
  return preparedQuery<FoundRow>(dataSource, known, values);
}
