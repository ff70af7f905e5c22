import type { EntityManager } from 'typeorm';
import { joined, type Sql, sql } from '../../../platform/database/sql.js';
import type { CursorPosition } from '../../../platform/http/replies/cursor.js';
import { EVERYTHING } from '../../../policy/reach.js';
import type { AuditEntry } from '../dto/audit-entry.response.dto.js';
import type { AuditQuery } from './audit-query.js';

/** What is known of where the request came from, until its user is deleted. */
const detailOfRequest = (kind: 'address' | 'client'): string =>
  `(SELECT d.value FROM personal_details d WHERE d.at = c.at AND d.change_id = c.id AND d.kind = '${kind}'
     AND (d.user_id IS NULL OR EXISTS (SELECT FROM users u WHERE u.id = d.user_id))) AS ${kind}`;

/** The columns of an `AuditEntry`, of `ENTRIES_OF_PAGE`. */
export const ENTRY_COLUMNS = `c.id, c.at, c.type, c.actor_kind, c.actor_id, coalesce(u.name, deleted.name) AS actor_name, c.api_key_id, k.prefix AS api_key_prefix,
      k.signed_in_by AS way, k.oauth_client AS client_id, CASE WHEN k.oauth_client IS NOT NULL THEN k.name END AS client_name,
      c.request_id, c.organization_id, c.recording_id, c.target_id, c.user_id, c.details AS changes,
      ${detailOfRequest('address')}, ${detailOfRequest('client')},
      (SELECT d.value FROM personal_details d WHERE d.at = c.at AND d.change_id = c.id AND d.kind = 'email') AS email`;

/** The rows that `page (at, id)` names, with the names of those who made the changes. */
export const ENTRIES_OF_PAGE = `page
    JOIN change_log c ON c.at = page.at AND c.id = page.id
    LEFT JOIN users u ON u.id = c.actor_id
    LEFT JOIN LATERAL (
      SELECT d.details ->> 'name' AS name FROM change_log d
      WHERE u.id IS NULL AND d.organization_id = c.organization_id AND d.target_id = c.actor_id
        AND d.type = 'service_account.deleted'
      LIMIT 1) AS deleted ON true
    LEFT JOIN api_keys k ON k.id = c.api_key_id`;

/** Rows that a page reads from one index, where no index serves all of its filters together. */
const MAX_SCANNED = 5_000;

/** The rows of one index, in its order, and what else they have to meet. A query may need several indexes. */
interface Branch {
  /** Conditions on `c`. */
  readonly found: Sql;
  readonly kept: Partial<Pick<AuditQuery, 'types' | 'actorId' | 'targetId' | 'reach'>>;
}

const SCANNED =
  'c.at, c.id, c.type, c.actor_id, c.target_id, c.recording_id, c.user_id, c.organization_id, c.folder_id';

/**
 * The newest rows of a query, at most `limit`. Each branch reads as many from its index, or `MAX_SCANNED` if
 * further filters apply to them; only the rows of the page are read in full.
 */
export async function findEntries(
  manager: EntityManager,
  query: AuditQuery,
  limit: number,
): Promise<AuditEntry[]> {
  const statement = sql`
    WITH page AS MATERIALIZED (
      SELECT at, id FROM (${positions(query, limit)}) AS found ORDER BY at DESC, id DESC LIMIT ${limit}::int)
    SELECT ${() => ENTRY_COLUMNS} FROM ${() => ENTRIES_OF_PAGE}
    ORDER BY c.at DESC, c.id DESC`;
  return sql(manager)`${statement}`;
}

/**
 * The row up to which the branches of a query have looked: the last row that the one read the least far back, if it was
 * cut off. Undefined for a query whose filters are all served by indexes.
 */
export async function findHorizon(
  manager: EntityManager,
  query: AuditQuery,
): Promise<CursorPosition | undefined> {
  if (usesTypes(query)) return undefined;
  const branches = branchesOf(query).filter(hasFilters);
  if (branches.length === 0) return undefined;
  const last = branches.map(
    ({ found }) => sql`(SELECT c.at, c.id FROM change_log c WHERE ${found} AND ${rangeOf(query)}
      ORDER BY c.at DESC, c.id DESC OFFSET ${MAX_SCANNED - 1}::int LIMIT 1)`,
  );
  const statement = sql`SELECT at AS "createdAt", id FROM (${joined(last, ' UNION ALL ')}) AS last ORDER BY at DESC, id DESC LIMIT 1`;
  const [horizon] = await sql(manager)<CursorPosition>`${statement}`;
  return horizon;
}

function positions(query: AuditQuery, limit: number): Sql {
  if (usesTypes(query)) return positionsByType(query, limit);
  const range = rangeOf(query);
  const newest = branchesOf(query).map((branch) => {
    const { found, kept } = branch;
    if (!hasFilters(branch))
      return sql`(SELECT c.at, c.id FROM change_log c WHERE ${found} AND ${range} ORDER BY c.at DESC, c.id DESC LIMIT ${limit}::int)`;
    return sql`(SELECT s.at, s.id FROM (
      SELECT ${() => SCANNED} FROM change_log c WHERE ${found} AND ${range} ORDER BY c.at DESC, c.id DESC LIMIT ${MAX_SCANNED}::int) AS s
      WHERE ${keptBy(kept)} ORDER BY s.at DESC, s.id DESC LIMIT ${limit}::int)`;
  });
  return joined(newest, ' UNION ');
}

type TypesQuery = AuditQuery &
  Required<Pick<AuditQuery, 'types'>> & { readonly scope: { organizationId: string } };

/** Whether the type is the only filter and there is an index for it. */
function usesTypes(query: AuditQuery): query is TypesQuery {
  const { scope, types, actorId, targetId } = query;
  const isOnly = actorId === undefined && targetId === undefined && reachWithin(query) === undefined;
  return 'organizationId' in scope && types !== undefined && isOnly;
}

/** The newest rows of each type; the newest of all are among them. */
function positionsByType(query: TypesQuery, limit: number): Sql {
  return sql`SELECT newest.at, newest.id FROM unnest(${query.types}::text[]) AS given (type) CROSS JOIN LATERAL (
    SELECT c.at, c.id FROM change_log c
    WHERE c.organization_id = ${query.scope.organizationId}::uuid AND c.type = given.type AND ${rangeOf(query)}
    ORDER BY c.at DESC, c.id DESC LIMIT ${limit}::int) AS newest`;
}

/** The most selective filter decides which index is read. */
function branchesOf(query: AuditQuery): readonly Branch[] {
  const { scope, types, actorId, targetId } = query;
  const reach = reachWithin(query);
  if ('userId' in scope) {
    const kept = { types, actorId, targetId, reach };
    return [
      { found: sql`c.actor_id = ${scope.userId}::uuid`, kept },
      { found: sql`c.user_id = ${scope.userId}::uuid`, kept },
    ];
  }
  if ('installation' in scope) {
    const kept = { types, targetId, reach };
    return [{ found: actorId === undefined ? sql`true` : sql`c.actor_id = ${actorId}::uuid`, kept }];
  }
  const inOrganization = sql`c.organization_id = ${scope.organizationId}::uuid`;
  if (targetId !== undefined) {
    const target = sql`${targetId}::uuid`;
    const concerned = [
      sql`c.target_id = ${target}`,
      sql`c.recording_id = ${target} AND c.recording_id <> c.target_id`,
      sql`c.user_id = ${target} AND c.user_id <> c.target_id`,
    ];
    return concerned.map((found) => ({
      found: sql`${inOrganization} AND ${found}`,
      kept: { types, actorId, reach },
    }));
  }
  if (actorId === undefined) return [{ found: inOrganization, kept: { types, reach } }];
  return [{ found: sql`${inOrganization} AND c.actor_id = ${actorId}::uuid`, kept: { types, reach } }];
}

const hasFilters = ({ kept }: Branch): boolean => Object.values(kept).some((value) => value !== undefined);

/** Of the log of one organization, a key that is limited to folders does not reach all. */
const reachWithin = ({ scope, reach }: AuditQuery): AuditQuery['reach'] =>
  'organizationId' in scope && !reach?.folderIds ? undefined : reach;

function keptBy({ types, actorId, targetId, reach }: Branch['kept']): Sql {
  const { organizationIds, folderIds, refusedBy } = reach ?? EVERYTHING;
  return joined(
    [
      targetId !== undefined && sql`${targetId}::uuid IN (s.target_id, s.recording_id, s.user_id)`,
      actorId !== undefined && sql`s.actor_id = ${actorId}::uuid`,
      types !== undefined && sql`s.type = ANY (${types}::text[])`,
      organizationIds !== null && sql`s.organization_id = ANY (${organizationIds}::uuid[])`,
      refusedBy.length > 0 &&
        sql`(s.organization_id <> ALL (${refusedBy}::uuid[]) OR s.organization_id IS NULL AND s.type NOT LIKE 'webhook.%')
          AND NOT EXISTS (SELECT FROM users u WHERE u.id = s.target_id AND u.service_of = ANY (${refusedBy}::uuid[]))`,
      folderIds !== null && sql`s.type NOT LIKE 'webhook.%'`,
      folderIds !== null && sql`(s.type NOT LIKE 'folder.%' OR s.target_id = ANY (${folderIds}::uuid[]))`,
      folderIds !== null && sql`(s.recording_id IS NULL OR s.folder_id = ANY (${folderIds}::uuid[]))`,
      // Has not moved out of these folders since; of one that was deleted, the log is what remains.
      folderIds !== null &&
        sql`NOT EXISTS (SELECT FROM recordings r WHERE r.id = s.recording_id
          AND (COALESCE(r.folder_id, r.deleted_folder_id) = ANY (${folderIds}::uuid[])) IS NOT TRUE)`,
    ],
    ' AND ',
  );
}

/** `at` alone tells PostgreSQL which months it need not look into. */
const rangeOf = ({ since, until, after }: AuditQuery): Sql =>
  joined(
    [
      sql`true`,
      since && sql`c.at >= ${since}::timestamptz`,
      until && sql`c.at <= ${until}::timestamptz`,
      after && sql`c.at <= ${after.createdAt}::timestamptz`,
      after && sql`(c.at, c.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    ],
    ' AND ',
  );

/** Whether the key is still one of an operator, with which they act on everything. */
export async function isOperating(manager: EntityManager, apiKeyId: string): Promise<boolean> {
  const [found] = await sql(manager)<object>`
    SELECT FROM api_keys k JOIN users u ON u.id = k.user_id
    WHERE k.id = ${apiKeyId} AND u.operator AND k.organization_ids IS NULL
      AND (k.scopes IS NULL OR 'operator' = ANY (k.scopes))`;
  return found !== undefined;
}
