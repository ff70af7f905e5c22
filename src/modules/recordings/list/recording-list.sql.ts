import { filterConditions, isCounted } from './recording-filters.sql.js';
import { joinListed } from './public/listed-recording.sql.js';
import { ownership, type ListScope, type VisibilitySlice } from './recording-scope.js';
import { joined, Sql, sql, type Parts } from '../../../platform/database/sql.js';
import type { CursorPosition } from '../../../platform/http/replies/cursor.js';
import { totalSql } from './recording-total.sql.js';

export interface ListQuery extends ListScope {
  readonly limit: number;
  readonly offset: number;
  /** Only recordings after this position; does not affect the total. */
  readonly after?: CursorPosition;
}

const ORDER = 'created_at DESC, id';

/**
 * One statement for the page (plus one row if there are more) and the total. With only counted filters, each slice is
 * read in the order of its index and stops after the page, and the total is computed from counts; with any other
 * filter, the hits are collected once, then counted and paged.
 */
export function listStatement(query: ListQuery): Sql {
  return isCounted(query.filters) ? hidden(orderedStatement(query)) : hitsStatement(query);
}

function orderedStatement(query: ListQuery): Sql {
  const after = afterConditions(query);
  const conditions = [...filterConditions(query.filters), ...after];
  const [first, ...others] = query.slices;
  const page =
    others.length === 0 && first?.values.length === 1 && splitByStatus(first, query) === null
      ? oneSlice(first, query.viewerId, conditions)
      : mergedSlices(query, conditions, [...eachStatus(query), ...after]);
  return sql`WITH
    page AS (${page} ORDER BY ${() => ORDER} LIMIT ${query.limit + 1}::bigint OFFSET ${query.offset}::bigint),
    total AS (SELECT ${totalSql({ ...query, filters: query.filters.counted })} AS total)
    ${() => SELECT_PAGE}`;
}

/**
 * The statuses by which a slice is read one after the other; null: all at once. A whole organization has an index that
 * begins with the status, so that rare ones are not searched for among all its recordings.
 */
function splitByStatus({ column, only }: VisibilitySlice, query: ListQuery): readonly string[] | null {
  const { status = [] } = query.filters.counted;
  return status.length > 1 && column === 'organization_id' && only === undefined ? status : null;
}

/** Reads straight from the index, at any offset. */
function oneSlice(slice: VisibilitySlice, viewerId: string, conditions: Parts): Sql {
  const [value = null] = slice.values;
  const where = [sql`r.${() => slice.column} = ${value}::uuid`, ...ownership(slice, viewerId), ...conditions];
  return sql`SELECT r.id, r.created_at FROM recordings r WHERE ${joined(where, ' AND ')}`;
}

/** The conditions where statuses are read one after the other. */
function eachStatus({ filters: { counted, direct } }: ListQuery): Parts {
  const others = { direct, counted: { ...counted, status: undefined } };
  return [sql`r.status = s.status`, ...filterConditions(others)];
}

/** The first recordings of every value of every slice, and of every status where `splitByStatus` says so. */
function mergedSlices(query: ListQuery, conditions: Parts, eachStatusConditions: Parts): Sql {
  const firsts = query.slices.map((slice) => {
    const statuses = splitByStatus(slice, query);
    const where = [
      sql`r.${() => slice.column} = v.value`,
      ...ownership(slice, query.viewerId),
      ...(statuses ? eachStatusConditions : conditions),
    ];
    const each = statuses ? sql`CROSS JOIN unnest(${statuses}::text[]) AS s (status)` : sql``;
    return sql`SELECT first.id, first.created_at FROM unnest(${slice.values}::uuid[]) AS v (value) ${each}
      CROSS JOIN LATERAL (SELECT r.id, r.created_at FROM recordings r WHERE ${joined(where, ' AND ')}
        ORDER BY r.created_at DESC, r.id LIMIT ${query.limit + 1 + query.offset}::bigint) first`;
  });
  return sql`SELECT id, created_at FROM (${joined(firsts, ' UNION ALL ')}) merged`;
}

/** Planned for the actual values: the best plan for a rare search term is not the best for a common one. */
function hitsStatement(query: ListQuery): Sql {
  const conditions = filterConditions(query.filters);
  const hits = query.slices.map((slice) => {
    const where = [
      sql`r.${() => slice.column} = ANY (${slice.values}::uuid[])`,
      ...ownership(slice, query.viewerId),
      ...conditions,
    ];
    return sql`SELECT r.id, r.created_at FROM recordings r WHERE ${joined(where, ' AND ')}`;
  });
  return sql`WITH
    hits AS MATERIALIZED (${joined(hits, ' UNION ALL ')}),
    page AS (SELECT id, created_at FROM hits r WHERE ${joined([sql`true`, ...afterConditions(query)], ' AND ')}
      ORDER BY ${() => ORDER} LIMIT ${query.limit + 1}::bigint OFFSET ${query.offset}::bigint),
    total AS (SELECT count(*) AS total FROM hits)
    ${() => SELECT_PAGE}`;
}

/** One row per recording of the page; for an empty page, one row with only the total. */
const SELECT_PAGE = `
  SELECT total.total, listed.* FROM total LEFT JOIN page ON true ${joinListed('page.id')}
  ORDER BY page.created_at DESC, page.id`;

/** The first comparison is redundant, but lets PostgreSQL use the index. */
function afterConditions({ after }: ListQuery): Parts {
  if (!after) return [];
  const createdAt = sql`${after.createdAt}::timestamptz`;
  return [sql`r.created_at <= ${createdAt} AND (r.created_at < ${createdAt} OR r.id > ${after.id}::uuid)`];
}

/**
 * Wraps `value::type` in subqueries, so that the planner does not see the values: the plan is generic, and PostgreSQL
 * caches it per connection. The second cast makes it an array value rather than a subquery returning rows: `ANY
 * ((SELECT ...)::uuid[])`.
 */
function hidden({ texts, values }: Sql): Sql {
  const wrapped = texts.map((text, index) => {
    const after = index === 0 ? text : text.replace(/^::(\w+(?:\[\])?)/, '$&)::$1');
    return index === values.length ? after : `${after}(SELECT `;
  });
  return new Sql(wrapped, values);
}
