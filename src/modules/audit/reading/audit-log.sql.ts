import { Parameters, type Statement } from '../../../platform/database/statement.js';
import type { AuditQuery } from './audit-query.js';

/** Rows that a page reads from one index, where no index serves all of its filters together. */
export const MOST_SCANNED = 5_000;

/** The rows of one index, in its order, and what else they have to meet. A query may need several indexes. */
interface Branch {
  /** The columns of the index before `at` and `id`, and what they are equal to. */
  readonly index: readonly (readonly [column: Column, value: string])[];
  /** Condition of a partial index, on `c`. */
  readonly only?: string;
  readonly kept: Partial<Pick<AuditQuery, 'types' | 'actorId' | 'targetId'>>;
}

type Column = 'organization_id' | 'type' | 'actor_id' | 'target_id' | 'recording_id' | 'user_id';

/** The rows before a position and not before another, in the order of time and id. */
interface Range {
  readonly from: string;
  readonly before: string;
  /** Tells PostgreSQL which months it need not look into. */
  readonly months: string;
}

const COLUMNS =
  'c.at, c.id, c.organization_id, c.type, c.actor_id, c.target_id, c.recording_id, c.user_id' as const;

const FIRST_ID = "'00000000-0000-0000-0000-000000000000'::uuid";

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
      (SELECT d.value FROM personal_details d WHERE d.at = c.at AND d.change_id = c.id AND d.kind = 'address') AS address,
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
    (branch) => `(SELECT c.at, c.id FROM ${indexed(branch, range)} OFFSET ${MOST_SCANNED - 1} LIMIT 1)`,
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
      const rows = indexed(branch, range);
      if (!hasFilters(branch)) return `(SELECT c.at, c.id FROM ${rows} LIMIT ${most})`;
      return `(SELECT s.at, s.id FROM (SELECT ${COLUMNS} FROM ${rows} LIMIT ${MOST_SCANNED}) AS s
        WHERE ${keptBy(branch.kept, p)} ORDER BY ${orderOf(branch, 's')} LIMIT ${most})`;
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
function positionsByType({ scope, types }: TypesQuery, p: Parameters, range: Range, most: string): string {
  const organization = p.bind(scope.organizationId, 'uuid');
  const branch: Branch = {
    index: [
      ['organization_id', organization],
      ['type', 'given.type'],
    ],
    kept: {},
  };
  return `SELECT newest.at, newest.id FROM unnest(${p.bind(types, 'text[]')}) AS given (type) CROSS JOIN LATERAL (
    SELECT c.at, c.id FROM ${indexed(branch, range)} LIMIT ${most}) AS newest`;
}

/** The most selective filter decides which index is read. */
function branchesOf(query: AuditQuery, p: Parameters): readonly Branch[] {
  const { scope, types, actorId, targetId } = query;
  if ('userId' in scope) {
    const user = p.bind(scope.userId, 'uuid');
    const kept = { types, actorId, targetId };
    return [
      { index: [['actor_id', user]], kept },
      { index: [['user_id', user]], kept },
    ];
  }
  const organization = ['organization_id', p.bind(scope.organizationId, 'uuid')] as const;
  if (targetId !== undefined) {
    const target = p.bind(targetId, 'uuid');
    const kept = { types, actorId };
    return [
      { index: [organization, ['target_id', target]], kept },
      { index: [organization, ['recording_id', target]], only: 'c.recording_id <> c.target_id', kept },
      {
        index: [organization, ['user_id', target]],
        only: 'c.user_id <> c.target_id AND c.organization_id IS NOT NULL',
        kept,
      },
    ];
  }
  if (actorId === undefined) return [{ index: [organization], kept: { types } }];
  return [{ index: [organization, ['actor_id', p.bind(actorId, 'uuid')]], kept: { types } }];
}

/**
 * The rows of a branch, newest first. Not by equality: then other indexes would have the same order, and PostgreSQL might read all
 * rows of an organization from one of them to find the few of a rare type.
 */
function indexed(branch: Branch, { from, before, months }: Range): string {
  const row = `(${[...branch.index.map(([column]) => `c.${column}`), 'c.at', 'c.id'].join(', ')})`;
  const values = branch.index.map(([, value]) => value).join(', ');
  const only = branch.only === undefined ? '' : ` AND ${branch.only}`;
  return `change_log c WHERE ${row} >= (${values}, ${from}) AND ${row} < (${values}, ${before})${months}${only}
    ORDER BY ${orderOf(branch, 'c')}`;
}

const orderOf = ({ index }: Branch, alias: 'c' | 's'): string =>
  [...index.map(([column]) => column), 'at', 'id'].map((column) => `${alias}.${column} DESC`).join(', ');

const hasFilters = ({ kept }: Branch): boolean => Object.values(kept).some((value) => value !== undefined);

function keptBy({ types, actorId, targetId }: Branch['kept'], p: Parameters): string {
  const conditions = ['true'];
  if (targetId !== undefined)
    conditions.push(`${p.bind(targetId, 'uuid')} IN (s.target_id, s.recording_id, s.user_id)`);
  if (actorId !== undefined) conditions.push(`s.actor_id = ${p.bind(actorId, 'uuid')}`);
  if (types !== undefined) conditions.push(`s.type = ANY (${p.bind(types, 'text[]')})`);
  return conditions.join(' AND ');
}

/** Times have milliseconds, so the rows until a time are those before the next millisecond. */
function rangeOf({ since, until, after }: AuditQuery, p: Parameters): Range {
  const end = until && { createdAt: new Date(until.getTime() + 1), id: null };
  const last = after && end ? (end.createdAt <= after.createdAt ? end : after) : (after ?? end);
  const from = since ? p.bind(since, 'timestamptz') : "'-infinity'::timestamptz";
  if (!last) {
    const months = since ? ` AND c.at >= ${from}` : '';
    return { from: `${from}, ${FIRST_ID}`, before: `'infinity'::timestamptz, ${FIRST_ID}`, months };
  }
  const at = p.bind(last.createdAt, 'timestamptz');
  const id = last.id === null ? FIRST_ID : p.bind(last.id, 'uuid');
  const months = `${since ? ` AND c.at >= ${from}` : ''} AND c.at <= ${at}`;
  return { from: `${from}, ${FIRST_ID}`, before: `${at}, ${id}`, months };
}
