import type { EntityManager } from 'typeorm';
import { refuseTaken } from '../../contract/external-ids.js';
import {
  findTakenExternalIds,
  type ExternalIdClaim,
} from '../../platform/database/external-ids/external-ids.queries.js';
import { sql } from '../../platform/database/sql.js';
import type { Role } from '../../policy/roles.js';
import type { Folder } from './entities/folder.entity.js';
import { readNameList, type NameListQuery, type NamePage } from './name-list.queries.js';

export interface ListedFolderOfCaller extends Readonly<
  Pick<Folder, 'id' | 'name' | 'active' | 'restricted' | 'externalId' | 'metadata'>
> {
  /** Ids of members. Null for callers who do not manage folders. */
  readonly restrictedTo: readonly string[] | null;
}

const COLUMNS = sql`f.id, f.name, f.active, f.restricted, f.external_id AS "externalId", f.metadata,
  (SELECT COALESCE(json_agg(fm.user_id ORDER BY fm.user_id), '[]') FROM folder_members fm
   WHERE fm.folder_id = f.id) AS "restrictedTo"`;

/** Reads the active folders of an organization, ordered by name; `all`: also inactive ones. `ids`: only these; null: any. */
export async function listFolders(
  manager: EntityManager,
  organizationId: string,
  { all, ids, ...query }: NameListQuery & { readonly all: boolean; readonly ids: readonly string[] | null },
): Promise<NamePage<ListedFolderOfCaller>> {
  return readNameList(manager, query, {
    columns: COLUMNS,
    from: sql`folders f`,
    where: sql`f.organization_id = ${organizationId}::uuid AND f.deleted_at IS NULL AND (f.active OR ${all}::boolean)
      AND (${ids}::uuid[] IS NULL OR f.id = ANY (${ids}::uuid[]))`,
    alias: 'f',
    searched: 'f.name',
  });
}

/** Finds folders of the organizations of a viewer, with the viewer's role there. */
export async function findFoldersFor(
  manager: EntityManager,
  viewerId: string,
  ids: readonly string[],
): Promise<(ListedFolderOfCaller & { viewerRole: Role })[]> {
  return sql(manager)`
    SELECT ${COLUMNS}, viewer.role AS "viewerRole"
      FROM folders f
      JOIN organization_members viewer ON viewer.organization_id = f.organization_id AND viewer.user_id = ${viewerId}::uuid
      WHERE f.id = ANY (${ids}::uuid[]) AND f.deleted_at IS NULL`;
}

/** Refuses an external id of another folder of the organization: 409 `CONFLICT`. */
export async function requireFreeForFolder(
  manager: EntityManager,
  { organizationId, ...claim }: ExternalIdClaim & Pick<Folder, 'organizationId'>,
): Promise<void> {
  const taken = await findTakenExternalIds(
    manager,
    [claim],
    (externalIds) => sql`
      SELECT id, external_id AS "externalId" FROM folders
      WHERE organization_id = ${organizationId}::uuid AND external_id = ANY (${externalIds}::text[]) AND deleted_at IS NULL`,
  );
  refuseTaken(taken, 'folder');
}

export const countRecordings = (manager: EntityManager, folderId: string): Promise<number> =>
  sql(manager).value`SELECT count(*)::int FROM recordings WHERE folder_id = ${folderId}::uuid`;

/**
 * Moves some recordings out of a folder, and returns how many. They are locked in the order of all other transactions.
 */
export async function moveSomeRecordingsOut(manager: EntityManager, folderId: string): Promise<number> {
  return sql(manager).count`
    WITH picked AS (SELECT id FROM recordings WHERE folder_id = ${folderId}::uuid LIMIT 1000),
    batch AS (
      SELECT id FROM recordings WHERE id IN (SELECT id FROM picked) AND folder_id = ${folderId}::uuid
      ORDER BY id FOR NO KEY UPDATE)
    UPDATE recordings r SET folder_id = NULL, filed_at = now() FROM batch WHERE r.id = batch.id`;
}
