import { filterConditions, statusCondition, type CountedFilters } from './recording-filters.sql.js';
import { ownership, type ListScope, type VisibilitySlice } from './recording-scope.js';
import { splitIntoSpans, type Spans } from './recording-spans.js';
import { joined, rows, sql, type Sql } from '../../../platform/database/sql.js';

/** What a caller can see, with only counted filters applied to it. */
export interface CountedScope extends Omit<ListScope, 'filters'> {
  readonly filters: CountedFilters;
}

/**
 * The exact number of recordings in a scope with only counted filters, as an expression. Whole organizations and
 * folders have counts by month and by day in UTC (`recording_counts`, maintained by triggers on `recordings`); partial
 * days of a date filter, and the recordings of one owner, are counted in the index.
 */
export function totalSql(scope: CountedScope): Sql {
  const { status: _, createdFrom, createdTo, ...unknown } = scope.filters;
  // Fails to compile if there is a filter that the counts do not distinguish, because totals would be wrong.
  unknown satisfies Record<string, never>;
  const dated = createdFrom !== undefined || createdTo !== undefined;
  const spans = dated ? splitIntoSpans(createdFrom, createdTo) : null;
  const whole = scope.slices.filter(isWhole);
  const parts = [
    ...(whole.length > 0 ? [countedSql(whole, spans, scope)] : []),
    ...(spans ? whole.map((slice) => restSql(slice, spans, scope)) : []),
    ...scope.slices.filter((slice) => !isWhole(slice)).map((slice) => directSql(slice, scope)),
  ];
  return joined(
    parts.map((part) => sql`(${part})`),
    ' + ',
  );
}

/** All recordings of an organization or a folder, of any owner. */
const isWhole = ({ column, only }: VisibilitySlice): boolean => column !== 'owner_id' && only === undefined;

function countedSql(slices: readonly VisibilitySlice[], spans: Spans | null, scope: CountedScope): Sql {
  const [first, ...others] = slices.map(({ values }) => values);
  const scopes = first && others.length === 0 ? first : slices.flatMap(({ values }) => values);
  const status = andStatus('c', scope);
  if (spans === null) {
    return sql`SELECT COALESCE(sum(c.n), 0) FROM unnest(${scopes}::uuid[]) AS v (value)
      CROSS JOIN LATERAL (SELECT sum(c.n) AS n FROM recording_counts c
        WHERE c.scope_id = v.value AND c.unit = 'month'${status}) c`;
  }
  const { counted } = spans;
  const span = rows(
    [
      ['unit', 'text', counted.map(({ unit }) => unit)],
      ['since', 'date', counted.map(({ since }) => since)],
      ['until', 'date', counted.map(({ until }) => until)],
    ],
    'span',
  );
  return sql`SELECT COALESCE(sum(c.n), 0) FROM unnest(${scopes}::uuid[]) AS v (value)
    CROSS JOIN ${span}
    CROSS JOIN LATERAL (SELECT sum(c.n) AS n FROM recording_counts c
      WHERE c.scope_id = v.value AND c.unit = span.unit AND c.since >= span.since AND c.since < span.until${status}) c`;
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
