import {
  filterConditions,
  ownership,
  statusCondition,
  type CountedFilters,
  type ListScope,
} from './recording-conditions.sql.js';
import type { VisibilitySlice } from './recording-scope.js';
import { splitIntoSpans, type Spans } from './recording-spans.js';
import type { Parameters } from '../../platform/database/statement.js';

/** What a caller can see, with only counted filters applied to it. */
export interface CountedScope extends Omit<ListScope, 'filters'> {
  readonly filters: CountedFilters;
}

/**
 * The exact number of recordings in a scope with only counted filters, as an expression. Whole organizations and folders
 * have counts by month and by day in UTC (`recording_counts`, maintained by triggers on `recordings`); partial days of a
 * date filter, and the recordings of one owner, are counted in the index.
 */
export function totalSql(scope: CountedScope, parameters: Parameters): string {
  const { status: _, createdFrom, createdTo, ...unknown } = scope.filters;
  // Fails to compile if there is a filter that the counts do not distinguish, because totals would be wrong.
  unknown satisfies Record<string, never>;
  const dated = createdFrom !== undefined || createdTo !== undefined;
  const spans = dated ? splitIntoSpans(createdFrom, createdTo) : null;
  const whole = scope.slices.filter(isWhole);
  const parts = [
    ...(whole.length > 0 ? [countedSql(whole, spans, scope, parameters)] : []),
    ...(spans ? whole.map((slice) => restSql(slice, spans, scope, parameters)) : []),
    ...scope.slices.filter((slice) => !isWhole(slice)).map((slice) => directSql(slice, scope, parameters)),
  ];
  return parts.map((part) => `(${part})`).join(' + ');
}

/** All recordings of an organization or a folder, whoever owns them. */
const isWhole = ({ column, only }: VisibilitySlice): boolean => column !== 'owner_id' && only === undefined;

function countedSql(
  slices: readonly VisibilitySlice[],
  spans: Spans | null,
  scope: CountedScope,
  parameters: Parameters,
): string {
  const [first, ...others] = slices.map(({ values }) => values);
  const scopes = parameters.bind(
    others.length === 0 ? first : slices.flatMap(({ values }) => values),
    'uuid[]',
  );
  const status = andStatus('c', scope, parameters);
  if (spans === null) {
    return `SELECT COALESCE(sum(c.n), 0) FROM unnest(${scopes}) AS v (value)
      CROSS JOIN LATERAL (SELECT sum(c.n) AS n FROM recording_counts c
        WHERE c.scope_id = v.value AND c.unit = 'month'${status}) c`;
  }
  const column = (name: keyof Spans['counted'][number], type: string): string =>
    parameters.bind(
      spans.counted.map((span) => span[name]),
      `${type}[]`,
    );
  return `SELECT COALESCE(sum(c.n), 0) FROM unnest(${scopes}) AS v (value)
    CROSS JOIN unnest(${column('unit', 'text')}, ${column('since', 'date')}, ${column('until', 'date')}) AS span (unit, since, until)
    CROSS JOIN LATERAL (SELECT sum(c.n) AS n FROM recording_counts c
      WHERE c.scope_id = v.value AND c.unit = span.unit AND c.since >= span.since AND c.since < span.until${status}) c`;
}

function restSql(
  slice: VisibilitySlice,
  { rest }: Spans,
  scope: CountedScope,
  parameters: Parameters,
): string {
  const edge = (name: 'since' | 'until'): string =>
    parameters.bind(
      rest.map((part) => part[name]),
      'timestamptz[]',
    );
  return `SELECT COALESCE(sum(c.n), 0) FROM unnest(${parameters.bind(slice.values, 'uuid[]')}) AS v (value)
    CROSS JOIN unnest(${edge('since')}, ${edge('until')}) AS part (since, until)
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM recordings r WHERE r.${slice.column} = v.value
      AND r.created_at >= part.since AND r.created_at < part.until${andStatus('r', scope, parameters)}) c`;
}

function directSql(slice: VisibilitySlice, scope: CountedScope, parameters: Parameters): string {
  const conditions = [
    `r.${slice.column} = v.value`,
    ...ownership(slice, scope.viewerId, parameters),
    ...filterConditions({ counted: scope.filters, direct: {} }, parameters),
  ];
  return `SELECT COALESCE(sum(c.n), 0) FROM unnest(${parameters.bind(slice.values, 'uuid[]')}) AS v (value)
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM recordings r WHERE ${conditions.join(' AND ')}) c`;
}

function andStatus(alias: string, { filters }: CountedScope, parameters: Parameters): string {
  return filters.status === undefined ? '' : ` AND ${statusCondition(alias, filters.status, parameters)}`;
}
