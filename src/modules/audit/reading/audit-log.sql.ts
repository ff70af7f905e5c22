import { Parameters, type Statement } from '../../../platform/database/statement.js';
import type { AuditQuery } from './audit-query.js';

/** Rows that a page reads from one index, where no index serves all of its filters together. */
const MOST_SCANNED = 5_000;

/** The rows of one index, in its order, and what else they have to meet. A query may need several indexes. */
interface Branch {
  /** Conditions on `c`. */
  readonly found: string;
  readonly kept: Partial<Pick<AuditQuery, 'types' | 'actorId' | 'targetId'>>;
}

const SCANNED = 'c.at, c.id, c.type, c.actor_id, c.target_id, c.recording_id, c.user_id';

/**
 * The newest rows of a query, at most `limit`. Each branch reads at most so many from its index, or `MOST_SCANNED` if further
 * filters apply to them; only the rows of the page are read in full.
 */
export function rowsStatement(query: AuditQuery, limit: number): Statement {
  const p = new Parameters();
  const most = p.bind(limit, 'int');
  return p.statement(`
    WITH page AS MATERIALIZED (
      SELECT at, id FROM (${positions(query, p, most)}) AS found ORDER BY at DESC, id DESC LIMIT ${most})
    SELECT c.id, c.at, c.type, c.actor_kind AS "actorKind", c.actor_id AS "actorId", u.name AS "actorName",
      c.api_key_id AS "apiKeyId", k.prefix AS "apiKeyPrefix", c.request_id AS "requestId",
      c.organization_id AS "organizationId", c.recording_id AS "recordingId", c.target_id AS "targetId",
      c.user_id AS "userId", c.details,
      (SELECT d.value FROM personal_details d WHERE d.at = c.at AND d.change_id = c.id AND d.kind = 'address'
         AND (d.user_id IS NULL OR EXISTS (SELECT FROM users u WHERE u.id = d.user_id))) AS address,
      (SELECT d.value FROM personal_details d WHERE d.at = c.at AND d.change_id = c.id AND d.kind = 'email') AS email
    FROM page
    JOIN change_log c ON c.at = page.at AND c.id = page.id
    LEFT JOIN users u ON u.id = c.actor_id
    LEFT JOIN api_keys k ON k.id = c.api_key_id
    ORDER BY c.at DESC, c.id DESC`);
}

/**
 * Up to where the branches of a query have looked: the last row that the one read the least far back, if it was cut off. Null for a
 * query whose filters are all served by indexes.
 */
export function horizonStatement(query: AuditQuery): Statement | null {
  if (usesTypes(query)) return null;
  const p = new Parameters();
  const branches = branchesOf(query, p).filter(hasFilters);
  if (branches.length === 0) return null;
  const range = rangeOf(query, p);
  const last = branches.map(
    ({ found }) => `(SELECT c.at, c.id FROM change_log c WHERE ${found} AND ${range}
      ORDER BY c.at DESC, c.id DESC OFFSET ${MOST_SCANNED - 1} LIMIT 1)`,
  );
  return p.statement(
    `SELECT at AS "createdAt", id FROM (${last.join(' UNION ALL ')}) AS last ORDER BY at DESC, id DESC LIMIT 1`,
  );
}

function positions(query: AuditQuery, p: Parameters, most: string): string {
  const range = rangeOf(query, p);
  if (usesTypes(query)) return positionsByType(query, p, range, most);
  return branchesOf(query, p)
    .map((branch) => {
      const { found, kept } = branch;
      if (!hasFilters(branch))
        return `(SELECT c.at, c.id FROM change_log c WHERE ${found} AND ${range} ORDER BY c.at DESC, c.id DESC LIMIT ${most})`;
      return `(SELECT s.at, s.id FROM (
        SELECT ${SCANNED} FROM change_log c WHERE ${found} AND ${range} ORDER BY c.at DESC, c.id DESC LIMIT ${MOST_SCANNED}) AS s
        WHERE ${keptBy(kept, p)} ORDER BY s.at DESC, s.id DESC LIMIT ${most})`;
    })
    .join(' UNION ');
}

type TypesQuery = AuditQuery &
  Required<Pick<AuditQuery, 'types'>> & { readonly scope: { organizationId: string } };

/** Whether the type is the only filter and there is an index for it. */
function usesTypes(query: AuditQuery): query is TypesQuery {
  const { scope, types, actorId, targetId } = query;
  return 'organizationId' in scope && types !== undefined && actorId === undefined && targetId === undefined;
}

/** The newest rows of each type; the newest of all are among them. */
function positionsByType({ scope, types }: TypesQuery, p: Parameters, range: string, most: string): string {
  return `SELECT newest.at, newest.id FROM unnest(${p.bind(types, 'text[]')}) AS given (type) CROSS JOIN LATERAL (
    SELECT c.at, c.id FROM change_log c
    WHERE c.organization_id = ${p.bind(scope.organizationId, 'uuid')} AND c.type = given.type AND ${range}
    ORDER BY c.at DESC, c.id DESC LIMIT ${most}) AS newest`;
}

/** The most selective filter decides which index is read. */
function branchesOf(query: AuditQuery, p: Parameters): readonly Branch[] {
  const { scope, types, actorId, targetId } = query;
  if ('userId' in scope) {
    const user = p.bind(scope.userId, 'uuid');
    const kept = { types, actorId, targetId };
    return ['c.actor_id', 'c.user_id'].map((column) => ({ found: `${column} = ${user}`, kept }));
  }
  const inOrganization = `c.organization_id = ${p.bind(scope.organizationId, 'uuid')}`;
  if (targetId !== undefined) {
    const target = p.bind(targetId, 'uuid');
    const concerned = [
      `c.target_id = ${target}`,
      `c.recording_id = ${target} AND c.recording_id <> c.target_id`,
      `c.user_id = ${target} AND c.user_id <> c.target_id`,
    ];
    return concerned.map((found) => ({ found: `${inOrganization} AND ${found}`, kept: { types, actorId } }));
  }
  if (actorId === undefined) return [{ found: inOrganization, kept: { types } }];
  return [{ found: `${inOrganization} AND c.actor_id = ${p.bind(actorId, 'uuid')}`, kept: { types } }];
}

const hasFilters = ({ kept }: Branch): boolean => Object.values(kept).some((value) => value !== undefined);

function keptBy({ types, actorId, targetId }: Branch['kept'], p: Parameters): string {
  const conditions = ['true'];
  if (targetId !== undefined)
    conditions.push(`${p.bind(targetId, 'uuid')} IN (s.target_id, s.recording_id, s.user_id)`);
  if (actorId !== undefined) conditions.push(`s.actor_id = ${p.bind(actorId, 'uuid')}`);
  if (types !== undefined) conditions.push(`s.type = ANY (${p.bind(types, 'text[]')})`);
  return conditions.join(' AND ');
}

/** `at` alone tells PostgreSQL which months it need not look into. */
function rangeOf({ since, until, after }: AuditQuery, p: Parameters): string {
  const conditions = ['true'];
  if (since) conditions.push(`c.at >= ${p.bind(since, 'timestamptz')}`);
  if (until) conditions.push(`c.at <= ${p.bind(until, 'timestamptz')}`);
  if (after) {
    const at = p.bind(after.createdAt, 'timestamptz');
    conditions.push(`c.at <= ${at}`, `(c.at, c.id) < (${at}, ${p.bind(after.id, 'uuid')})`);
  }
  return conditions.join(' AND ');
}
