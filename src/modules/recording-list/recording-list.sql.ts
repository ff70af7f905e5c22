import { filterConditions, isCounted, ownership, type ListScope } from './recording-conditions.sql.js';
import { joinListed } from './entities/listed-recording.sql.js';
import type { VisibilitySlice } from './recording-scope.js';
import { Parameters, type Statement } from '../../platform/database/statement.js';
import type { CursorPosition } from '../../platform/http/cursor.js';
import { totalSql } from './recording-total.sql.js';

export interface ListQuery extends ListScope {
  readonly limit: number;
  readonly offset: number;
  /** Only recordings after this position; does not affect the total. */
  readonly after?: CursorPosition;
}

const ORDER = 'created_at DESC, id';

/**
 * One statement for the page (plus one row if there are more) and the total. With only counted filters, each slice is read
 * in the order of its index and stops after the page, and the total is computed from counts; with any other filter, the
 * hits are collected once, then counted and paged.
 */
export function listStatement(query: ListQuery): Statement {
  return isCounted(query.filters) ? orderedStatement(query) : hitsStatement(query);
}

function orderedStatement(query: ListQuery): Statement {
  const parameters = new Parameters({ hidden: true });
  const limit = parameters.bind(query.limit + 1, 'bigint');
  const offset = parameters.bind(query.offset, 'bigint');
  const after = afterConditions(query, parameters);
  const conditions = [...filterConditions(query.filters, parameters), ...after];
  const [first, ...others] = query.slices;
  const page =
    others.length === 0 && first?.values.length === 1 && splitByStatus(first, query) === null
      ? oneSlice(first, query.viewerId, conditions, parameters)
      : mergedSlices(query, conditions, [...eachStatus(query, parameters), ...after], parameters);
  return parameters.statement(`WITH
    page AS (${page} ORDER BY ${ORDER} LIMIT ${limit} OFFSET ${offset}),
    total AS (SELECT ${totalSql({ ...query, filters: query.filters.counted }, parameters)} AS total)
    ${SELECT_PAGE}`);
}

/**
 * The statuses by which a slice is read one after the other; null: all at once. A whole organization has an index that begins
 * with the status, so that rare ones are not searched for among all its recordings.
 */
function splitByStatus({ column, only }: VisibilitySlice, query: ListQuery): readonly string[] | null {
  const { status = [] } = query.filters.counted;
  return status.length > 1 && column === 'organization_id' && only === undefined ? status : null;
}

/** Reads straight from the index, at any offset. */
function oneSlice(
  slice: VisibilitySlice,
  viewerId: string,
  conditions: string[],
  parameters: Parameters,
): string {
  const value = parameters.bind(slice.values[0], 'uuid');
  const where = [`r.${slice.column} = ${value}`, ...ownership(slice, viewerId, parameters), ...conditions];
  return `SELECT r.id, r.created_at FROM recordings r WHERE ${where.join(' AND ')}`;
}

/** The conditions where statuses are read one after the other. Values that the others have bound are not bound again. */
function eachStatus({ filters: { counted, direct } }: ListQuery, parameters: Parameters): string[] {
  const others = { direct, counted: { ...counted, status: undefined } };
  return ['r.status = s.status', ...filterConditions(others, parameters)];
}

/** The first recordings of every value of every slice, and of every status where `splitByStatus` says so. */
function mergedSlices(
  query: ListQuery,
  conditions: string[],
  eachStatusConditions: string[],
  parameters: Parameters,
): string {
  const perValue = parameters.bind(query.limit + 1 + query.offset, 'bigint');
  const firsts = query.slices.map((slice) => {
    const values = parameters.bind(slice.values, 'uuid[]');
    const statuses = splitByStatus(slice, query);
    const where = [
      `r.${slice.column} = v.value`,
      ...ownership(slice, query.viewerId, parameters),
      ...(statuses ? eachStatusConditions : conditions),
    ];
    const each = statuses ? `CROSS JOIN unnest(${parameters.bind(statuses, 'text[]')}) AS s (status)` : '';
    return `SELECT first.id, first.created_at FROM unnest(${values}) AS v (value) ${each}
      CROSS JOIN LATERAL (SELECT r.id, r.created_at FROM recordings r WHERE ${where.join(' AND ')}
        ORDER BY r.created_at DESC, r.id LIMIT ${perValue}) first`;
  });
  return `SELECT id, created_at FROM (${firsts.join(' UNION ALL ')}) merged`;
}

/** Planned for the actual values: the best plan for a rare search term is not the best for a common one. */
function hitsStatement(query: ListQuery): Statement {
  const parameters = new Parameters({ hidden: false });
  const conditions = filterConditions(query.filters, parameters);
  const hits = query.slices.map((slice) => {
    const values = parameters.bind(slice.values, 'uuid[]');
    const where = [
      `r.${slice.column} = ANY (${values})`,
      ...ownership(slice, query.viewerId, parameters),
      ...conditions,
    ];
    return `SELECT r.id, r.created_at FROM recordings r WHERE ${where.join(' AND ')}`;
  });
  const after = afterConditions(query, parameters).map((condition) => `WHERE ${condition}`);
  const limit = parameters.bind(query.limit + 1, 'bigint');
  const offset = parameters.bind(query.offset, 'bigint');
  return parameters.statement(`WITH
    hits AS MATERIALIZED (${hits.join(' UNION ALL ')}),
    page AS (SELECT id, created_at FROM hits r ${after.join('')} ORDER BY ${ORDER} LIMIT ${limit} OFFSET ${offset}),
    total AS (SELECT count(*) AS total FROM hits)
    ${SELECT_PAGE}`);
}

/** One row per recording of the page; for an empty page, one row with only the total. */
const SELECT_PAGE = `
  SELECT total.total, listed.* FROM total LEFT JOIN page ON true ${joinListed('page.id')}
  ORDER BY page.created_at DESC, page.id`;

/** The first comparison is redundant, but lets PostgreSQL use the index. */
function afterConditions({ after }: ListQuery, parameters: Parameters): string[] {
  if (!after) return [];
  const createdAt = parameters.bind(after.createdAt, 'timestamptz');
  const id = parameters.bind(after.id, 'uuid');
  return [`r.created_at <= ${createdAt} AND (r.created_at < ${createdAt} OR r.id > ${id})`];
}
