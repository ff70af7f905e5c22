import type { DataSource } from 'typeorm';
import { preparedQuery, type PreparedStatement } from '../../../platform/database/prepared-query.js';
import { reading } from '../../../platform/database/servers/replica.js';
import { joined, type Parts, tableOf, sql, Sql } from '../../../platform/database/sql.js';
import { cursorPage, type CursorPage, type CursorPosition } from '../../../platform/http/replies/cursor.js';
import { joinListed, type ListedRow } from './public/listed-recording.sql.js';
import { filterConditions, isCounted, statusCondition, type CountedFilters } from './recording-filters.js';
import { splitIntoSpans, type Spans } from './recording-spans.js';
import type { ListScope, VisibilitySlice } from './visibility-slices.js';

export interface ListQuery extends ListScope {
  readonly limit: number;
  readonly offset: number;
  /** Only recordings after this position; does not affect the total. */
  readonly after?: CursorPosition;
}

export type ListedPage = CursorPage<ListedRow> & { readonly total: number };

/** There is always a first row with the total, even when the page is empty. */
type FoundRow = ListedRow & { readonly total: string; readonly id: string | null };

/** The statements by their text. There is one per combination of scope and filters: a few dozen. */
const statements = new Map<string, PreparedStatement>();

/** Finds a page, whether there are more, and the total, by one statement and therefore from one snapshot. */
export async function findPage(dataSource: DataSource, query: ListQuery): Promise<ListedPage> {
  const found = query.slices.length === 0 ? [] : await read(dataSource, query);
  const listed = found[0]?.id === null ? [] : found;
  const page = cursorPage(listed, query.limit, (row) => row);
  return { ...page, total: Number(found[0]?.total ?? 0) };
}

/** Prepared, unless the best plan depends on what is searched: totals from counts take 0.9 ms instead of 22 in all. */
async function read(dataSource: DataSource, query: ListQuery): Promise<FoundRow[]> {
  const statement = listStatement(query);
  if (!isCounted(query.filters)) return reading(dataSource, (source) => sql(source)<FoundRow>`${statement}`);
  const { text, values } = statement.toQuery();
  // With the first one's text: each request's own, 2 kB, would be kept until the reply.
  const known = statements.get(text) ?? { name: `recording-list-${statements.size}`, text };
  statements.set(text, known);
  return preparedQuery<FoundRow>(dataSource, known, values);
}

/**
 * One statement for the page (plus one row if there are more) and the total. With only counted filters, each slice is
 * read in the order of its index and stops after the page, and the total is computed from counts. With any other
 * filter, the hits are collected once, then counted and paged, and the statement is planned for the actual values: the
 * best plan for a rare search term is not the best for a common one.
 */
export function listStatement(query: ListQuery): Sql {
  const { slices, limit, offset, filters } = query;
  const page = sql`ORDER BY created_at DESC, id LIMIT ${limit + 1}::bigint OFFSET ${offset}::bigint`;
  // One row per recording of the page; for an empty page, one row with only the total.
  const select = sql`SELECT total.total, listed.*
    FROM total LEFT JOIN page ON true ${() => joinListed('page.id')}
    ORDER BY page.created_at DESC, page.id`;
  if (isCounted(filters))
    return hidden(sql`WITH
      page AS (${firstOfSlices(query)} ${page}),
      total AS (SELECT ${totalFromCounts(query)} AS total)
      ${select}`);
  const hits = slices.map(
    (slice) => sql`SELECT r.id, r.created_at FROM recordings r
    WHERE r.${() => slice.column} = ANY (${slice.values}::uuid[]) ${and(ownership(slice, query), filterConditions(filters))}`,
  );
  return sql`WITH
    hits AS MATERIALIZED (${joined(hits, ' UNION ALL ')}),
    page AS (SELECT id, created_at FROM hits r WHERE true ${and(afterConditions(query))} ${page}),
    total AS (SELECT count(*) AS total FROM hits)
    ${select}`;
}

/**
 * The recordings that may be on the page. A slice of one value is read straight from its index, at any offset; of
 * several, the first recordings of each value are merged.
 */
function firstOfSlices(query: ListQuery): Sql {
  const { slices, limit, offset, filters } = query;
  const [slice, ...others] = slices;
  const after = afterConditions(query);
  if (slice?.values.length === 1 && others.length === 0 && !statusesApart(slice, query))
    return sql`SELECT r.id, r.created_at FROM recordings r
      WHERE r.${() => slice.column} = ${slice.values[0] ?? null}::uuid
      ${and(ownership(slice, query), filterConditions(filters), after)}`;
  const { status: _, ...withoutStatus } = filters.counted;
  const firsts = slices.map((one) => {
    const statuses = statusesApart(one, query);
    const each = statuses ? sql`CROSS JOIN unnest(${statuses}::text[]) AS s (status)` : sql``;
    const filtered = statuses
      ? [sql`r.status = s.status`, ...filterConditions({ ...filters, counted: withoutStatus })]
      : filterConditions(filters);
    return sql`SELECT first.id, first.created_at FROM unnest(${one.values}::uuid[]) AS v (value) ${each}
      CROSS JOIN LATERAL (
        SELECT r.id, r.created_at FROM recordings r
        WHERE r.${() => one.column} = v.value ${and(ownership(one, query), filtered, after)}
        ORDER BY r.created_at DESC, r.id LIMIT ${limit + 1 + offset}::bigint) first`;
  });
  return sql`SELECT id, created_at FROM (${joined(firsts, ' UNION ALL ')}) merged`;
}

/**
 * Returns the statuses that are read one after the other: a whole organization has an index that begins with the
 * status, so that rare ones are not searched for among all its recordings.
 */
function statusesApart({ column, only }: VisibilitySlice, { filters }: ListQuery): readonly string[] | null {
  const { status = [] } = filters.counted;
  return status.length > 1 && column === 'organization_id' && only === undefined ? status : null;
}

/**
 * The exact number of recordings. Whole organizations and folders have counts by month and by day in UTC
 * (`recording_counts`, maintained by triggers on `recordings`); partial days of a date filter, and the recordings of
 * one owner, are counted in the index.
 */
function totalFromCounts(query: ListQuery): Sql {
  const { createdFrom, createdTo, status, ...unknown }: CountedFilters = query.filters.counted;
  // Fails to compile if there is a filter that the counts do not distinguish, because totals would be wrong.
  unknown satisfies Record<string, never>;
  const spans = createdFrom || createdTo ? splitIntoSpans(createdFrom, createdTo) : null;
  const whole = query.slices.filter(isWhole);
  const scopes = whole.flatMap(({ values }) => values);
  const parts = [
    whole.length > 0 && counted(scopes, spans, status ? [statusCondition('c', status)] : []),
    ...whole.map((slice) => spans && partialDays(slice, spans, status ? [statusCondition('r', status)] : [])),
    ...query.slices
      .filter((slice) => !isWhole(slice))
      .map(
        (slice) => sql`SELECT COALESCE(sum(c.n), 0) FROM unnest(${slice.values}::uuid[]) AS v (value)
        CROSS JOIN LATERAL (SELECT count(*) AS n FROM recordings r
          WHERE r.${() => slice.column} = v.value ${and(ownership(slice, query), filterConditions(query.filters))}) c`,
      ),
  ];
  return joined(
    parts.map((part) => part instanceof Sql && sql`(${part})`),
    ' + ',
  );
}

/** All recordings of an organization or a folder, of any owner. */
const isWhole = ({ column, only }: VisibilitySlice): boolean => column !== 'owner_id' && only === undefined;

function counted(scopes: readonly string[], spans: Spans | null, conditions: Parts): Sql {
  if (!spans)
    return sql`SELECT COALESCE(sum(c.n), 0) FROM unnest(${scopes}::uuid[]) AS v (value)
      CROSS JOIN LATERAL (SELECT sum(c.n) AS n FROM recording_counts c
        WHERE c.scope_id = v.value AND c.unit = 'month' ${and(conditions)}) c`;
  const span = tableOf(
    [
      ['unit', 'text', spans.counted.map(({ unit }) => unit)],
      ['since', 'date', spans.counted.map(({ since }) => since)],
      ['until', 'date', spans.counted.map(({ until }) => until)],
    ],
    'span',
  );
  return sql`SELECT COALESCE(sum(c.n), 0) FROM unnest(${scopes}::uuid[]) AS v (value) CROSS JOIN ${span}
    CROSS JOIN LATERAL (SELECT sum(c.n) AS n FROM recording_counts c
      WHERE c.scope_id = v.value AND c.unit = span.unit AND c.since >= span.since AND c.since < span.until
      ${and(conditions)}) c`;
}

function partialDays({ column, values }: VisibilitySlice, { rest }: Spans, conditions: Parts): Sql {
  const part = tableOf(
    [
      ['since', 'timestamptz', rest.map(({ since }) => since)],
      ['until', 'timestamptz', rest.map(({ until }) => until)],
    ],
    'part',
  );
  return sql`SELECT COALESCE(sum(c.n), 0) FROM unnest(${values}::uuid[]) AS v (value) CROSS JOIN ${part}
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM recordings r WHERE r.${() => column} = v.value
      AND r.created_at >= part.since AND r.created_at < part.until ${and(conditions)}) c`;
}

/** The first comparison is redundant, but lets PostgreSQL use the index. */
function afterConditions({ after }: ListQuery): Parts {
  if (!after) return [];
  const createdAt = sql`${after.createdAt}::timestamptz`;
  return [sql`r.created_at <= ${createdAt} AND (r.created_at < ${createdAt} OR r.id > ${after.id}::uuid)`];
}

/** The conditions of a slice other than on its column. */
export function ownership(
  { only, outside }: VisibilitySlice,
  { viewerId }: Pick<ListScope, 'viewerId'>,
): Parts {
  if (only === 'personal') return [sql`r.organization_id IS NULL`];
  if (only !== 'own') return [];
  const own = sql`r.owner_id = ${viewerId}::uuid`;
  // A subquery rather than a list, so that PostgreSQL uses a hash table instead of comparing with every folder.
  return outside
    ? [own, sql`(r.folder_id IS NULL OR r.folder_id NOT IN (SELECT unnest(${outside}::uuid[])))`]
    : [own];
}

/** The visible recordings as a condition on a row `r`, for statements that find recordings in other ways. */
export function visibleCondition({ slices, viewerId, filters }: ListScope): Sql {
  const parts = slices.map(
    (slice) =>
      sql`(r.${() => slice.column} = ANY (${slice.values}::uuid[]) ${and(ownership(slice, { viewerId }))})`,
  );
  const visible = parts.length > 0 ? joined(parts, ' OR ') : sql`false`;
  return sql`(${visible}) ${and(filterConditions(filters))}`;
}

/** Further conditions. */
const and = (...conditions: readonly Parts[]): Sql => joined([sql``, ...conditions.flat()], ' AND ');

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
