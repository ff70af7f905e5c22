import type { EntityManager } from 'typeorm';
import { joined, sql, type Sql } from '../../../platform/database/sql.js';
import { cursorPage, type CursorPage, type CursorPosition } from '../../../platform/http/replies/cursor.js';

/** Puts recordings into the bin, except where there is none, and returns their ids. */
export async function putIntoBin(
  manager: EntityManager,
  ids: readonly string[],
  { now, binDays }: { readonly now: Date; readonly binDays: number },
): Promise<ReadonlySet<string>> {
  const days = sql`COALESCE(o.bin_days, ${binDays}::int)`;
  const rows = await sql(manager)<{ id: string }>`
    UPDATE recordings r SET deleted_at = ${now}, updated_at = ${now},
      deleted_owner_id = r.owner_id, deleted_organization_id = r.organization_id, deleted_folder_id = r.folder_id,
      owner_id = NULL, organization_id = NULL, folder_id = NULL, purge_at = ${now}::timestamptz + ${days} * interval '24 hours'
    FROM recordings stored LEFT JOIN organizations o ON o.id = stored.organization_id
    WHERE stored.id = r.id AND r.id = ANY (${ids}::uuid[]) AND ${days} > 0
    RETURNING r.id`;
  return new Set(rows.map(({ id }) => id));
}

/** Puts a recording back where it was. `by` becomes the owner if the previous one is no longer a member. */
export async function takeFromBin(
  manager: EntityManager,
  id: string,
  { by, now }: { readonly by: string; readonly now: Date },
): Promise<void> {
  await sql(manager)`
    UPDATE recordings r SET deleted_at = NULL, purge_at = NULL, placed_at = ${now}, updated_at = ${now},
      deleted_owner_id = NULL, deleted_organization_id = NULL, deleted_folder_id = NULL,
      organization_id = r.deleted_organization_id,
      folder_id = (SELECT f.id FROM folders f WHERE f.id = r.deleted_folder_id
        AND f.organization_id = r.deleted_organization_id AND f.deleted_at IS NULL FOR KEY SHARE),
      owner_id = CASE WHEN r.deleted_organization_id IS NULL OR EXISTS (
        SELECT FROM organization_members m
        WHERE m.organization_id = r.deleted_organization_id AND m.user_id = r.deleted_owner_id)
        THEN r.deleted_owner_id ELSE ${by}::uuid END
    WHERE r.id = ${id}::uuid`;
}

export interface DeletedRow {
  readonly id: string;
  readonly title: string;
  readonly deletedAt: Date;
  readonly purgeAt: Date;
  readonly owner: { readonly id: string; readonly name: string } | null;
  readonly organizationId: string | null;
  /** Null if the folder is gone. */
  readonly folderId: string | null;
  readonly storedBytes: number;
}

/** What of the bin a caller may restore, and which page of it. */
interface BinQuery {
  readonly viewerId: string;
  /** Also their personal ones. */
  readonly personal: boolean;
  /** Organizations of which they may restore what they own, and those of which they may restore everything. */
  readonly own: readonly string[];
  readonly any: readonly string[];
  /** Only from these active folders; null: from everywhere. */
  readonly folderIds: readonly string[] | null;
  readonly limit: number;
  /** Its `createdAt` is when the recording was deleted. */
  readonly after: CursorPosition | undefined;
}

/** Finds a page of what a caller may restore, the last deleted first. */
export async function findDeleted(manager: EntityManager, query: BinQuery): Promise<CursorPage<DeletedRow>> {
  const found = await sql(manager)<DeletedRow>`${deletedStatement(query)}`;
  return cursorPage(found, query.limit, ({ deletedAt: createdAt, id }) => ({ createdAt, id }));
}

export function deletedStatement({ viewerId, personal, own, any, folderIds, limit, after }: BinQuery): Sql {
  const further = joined(
    [
      sql`true`,
      folderIds !== null && sql`r.deleted_folder_id = ANY (${folderIds}::uuid[])`,
      after && sql`(r.deleted_at, r.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    ],
    ' AND ',
  );
  const first = sql`ORDER BY deleted_at DESC, id DESC LIMIT ${limit + 1}::int`;
  return sql`
    WITH page AS (
      (SELECT r.id, r.deleted_at FROM recordings r WHERE r.deleted_owner_id = ${viewerId}::uuid
         AND (${personal}::boolean AND r.deleted_organization_id IS NULL OR r.deleted_organization_id = ANY (${own}::uuid[]))
         AND ${further} ${first})
      UNION ALL
      SELECT each.* FROM unnest(${any}::uuid[]) AS o (id) CROSS JOIN LATERAL (
        SELECT r.id, r.deleted_at FROM recordings r WHERE r.deleted_organization_id = o.id AND ${further} ${first}) each
      ${first})
    SELECT r.id, r.title, r.deleted_at AS "deletedAt", r.purge_at AS "purgeAt", r.stored_bytes::float8 AS "storedBytes",
      r.deleted_organization_id AS "organizationId", f.id AS "folderId",
      CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS owner
    FROM page JOIN recordings r USING (id)
    LEFT JOIN users u ON u.id = r.deleted_owner_id LEFT JOIN folders f ON f.id = r.deleted_folder_id AND f.deleted_at IS NULL
    ORDER BY r.deleted_at DESC, r.id DESC`;
}
