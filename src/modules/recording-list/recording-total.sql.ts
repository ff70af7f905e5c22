import {
  filterConditions,
  ownership,
  statusCondition,
  type CountedFilters,
  type ListScope,
} from './recording-conditions.sql.js';
import type { VisibilitySlice } from './recording-scope.js';
import { joined, rows, sql, type Sql } from '../../platform/database/sql.js';
import { NEWEST } from '../../platform/timestamps.js';

/** Nothing is recorded later. */
const END_OF_YEARS = NEWEST + 1;

/** What a caller can see, with only counted filters applied to it. */
export interface CountedScope extends Omit<ListScope, 'filters'> {
  readonly filters: CountedFilters;
}

/** The time from `since` up to but excluding `until`. */
interface Span<Edge> {
  readonly since: Edge;
  readonly until: Edge;
}

/** A range of dates, split into what has counts and the rest at its ends. */
interface Spans {
  /** Whole months in UTC, from first day to first day: `YYYY-MM-DD`, `-infinity` or `infinity`. Null if there are none. */
  readonly months: Span<string> | null;
  readonly rest: readonly Span<Date>[];
}

/**
 * The exact number of recordings in a scope with only counted filters, as an expression. Whole organizations and folders
 * have counts by month in UTC (`recording_counts`, maintained by triggers on `recordings`); partial months of a date filter,
 * and the recordings of one owner, are counted in the index.
 */
export function totalSql(scope: CountedScope): Sql {
  const { status: _, createdFrom, createdTo, ...unknown } = scope.filters;
  // Fails to compile if there is a filter that the counts do not distinguish, because totals would be wrong.
  unknown satisfies Record<string, never>;
  const spans = createdFrom || createdTo ? spansOf(createdFrom, createdTo) : null;
  const whole = scope.slices.filter(isWhole);
  const parts = [
    ...(whole.length > 0 && spans?.months !== null ? [countedSql(whole, spans?.months, scope)] : []),
    ...(spans ? whole.map((slice) => restSql(slice, spans, scope)) : []),
    ...scope.slices.filter((slice) => !isWhole(slice)).map((slice) => directSql(slice, scope)),
  ];
  return joined(
    parts.map((part) => sql`(${part})`),
    ' + ',
  );
}

/** Both inclusive, and unbounded if undefined. */
function spansOf(from: Date | undefined, to: Date | undefined): Spans {
  const since = from?.getTime() ?? -Infinity;
  const until = to ? Math.min(to.getTime() + 1, END_OF_YEARS) : END_OF_YEARS;
  const first = monthOf(since) < since ? monthOf(since, 1) : since;
  const last = monthOf(until);
  if (first >= last) return { months: null, rest: spans([since, until]) };
  const months = { since: dateOf(first), until: dateOf(last) };
  return { months, rest: spans([since, first], [last, until]) };
}

const spans = (...edges: [number, number][]): Span<Date>[] =>
  edges
    .filter(([since, until]) => since < until)
    .map(([since, until]) => ({ since: new Date(since), until: new Date(until) }));

/** The beginning of the month in UTC, or of a later one. */
function monthOf(time: number, later = 0): number {
  if (time === -Infinity) return time;
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}

function dateOf(time: number): string {
  if (time === -Infinity) return '-infinity';
  return time === END_OF_YEARS ? 'infinity' : new Date(time).toISOString().slice(0, 10);
}

/** All recordings of an organization or a folder, whoever owns them. */
const isWhole = ({ column, only }: VisibilitySlice): boolean => column !== 'owner_id' && only === undefined;

function countedSql(
  slices: readonly VisibilitySlice[],
  months: Span<string> | undefined,
  scope: CountedScope,
): Sql {
  const [first, ...others] = slices.map(({ values }) => values);
  const scopes = first && others.length === 0 ? first : slices.flatMap(({ values }) => values);
  const within = months
    ? sql` AND c.month >= ${months.since}::date AND c.month < ${months.until}::date`
    : sql``;
  return sql`SELECT COALESCE(sum(c.n), 0) FROM unnest(${scopes}::uuid[]) AS v (value)
    CROSS JOIN LATERAL (SELECT sum(c.n) AS n FROM recording_counts c
      WHERE c.scope_id = v.value${within}${andStatus('c', scope)}) c`;
}

function restSql(slice: VisibilitySlice, { rest }: Spans, scope: CountedScope): Sql {
  const part = rows(
    [
      ['since', 'timestamptz', rest.map(({ since }) => since)],
      ['until', 'timestamptz', rest.map(({ until }) => until)],
    ],
    'part',
  );
  return sql`SELECT COALESCE(sum(c.n), 0) FROM unnest(${slice.values}::uuid[]) AS v (value) CROSS JOIN ${part}
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM recordings r WHERE r.${() => slice.column} = v.value
      AND r.created_at >= part.since AND r.created_at < part.until${andStatus('r', scope)}) c`;
}

function directSql(slice: VisibilitySlice, scope: CountedScope): Sql {
  const conditions = [
    sql`r.${() => slice.column} = v.value`,
    ...ownership(slice, scope.viewerId),
    ...filterConditions({ counted: scope.filters, direct: {} }),
  ];
  return sql`SELECT COALESCE(sum(c.n), 0) FROM unnest(${slice.values}::uuid[]) AS v (value)
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM recordings r WHERE ${joined(conditions, ' AND ')}) c`;
}

function andStatus(alias: 'c' | 'r', { filters: { status } }: CountedScope): Sql {
  return status === undefined ? sql`` : sql` AND ${statusCondition(alias, status)}`;
}
