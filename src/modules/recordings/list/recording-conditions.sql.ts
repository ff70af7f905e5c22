import type { RecordingStatus } from '../../../policy/recording-status.js';
import type { VisibilitySlice } from './recording-scope.js';
import { escapeLike } from '../../../platform/database/like.js';
import { joined, sql, type Parts, type Sql } from '../../../platform/database/sql.js';

/** Filters by what `recording_counts` distinguishes, so that their totals can be added up from counts. */
export interface CountedFilters {
  /** Any of these. */
  readonly status?: readonly RecordingStatus[];
  /** Both inclusive. */
  readonly createdFrom?: Date;
  readonly createdTo?: Date;
}

/** All other filters: when one of them is set, recordings are counted one by one. */
export interface DirectFilters {
  /** Partial match on the title, ignoring case. */
  readonly search?: string;
  /** Inclusive. */
  readonly updatedSince?: Date;
}

/** New filters belong in `direct`, where page and total follow from the condition alone. */
export interface ListFilters {
  readonly counted: CountedFilters;
  readonly direct: DirectFilters;
}

/** What a caller can see, and the filters applied to it. */
export interface ListScope {
  readonly viewerId: string;
  readonly slices: readonly VisibilitySlice[];
  readonly filters: ListFilters;
}

/** The conditions of a slice other than on its column. */
export function ownership({ only, outside }: VisibilitySlice, viewerId: string): Parts {
  if (only === 'personal') return [sql`r.organization_id IS NULL`];
  if (only !== 'own') return [];
  const own = sql`r.owner_id = ${viewerId}::uuid`;
  if (!outside) return [own];
  // A subquery rather than a list, so that PostgreSQL uses a hash table instead of comparing with every folder.
  return [own, sql`(r.folder_id IS NULL OR r.folder_id NOT IN (SELECT unnest(${outside}::uuid[])))`];
}

/** On the status of a row of recordings or of their counts. */
export function statusCondition(alias: 'c' | 'r', statuses: readonly RecordingStatus[]): Sql {
  const [first = null] = statuses;
  return statuses.length === 1
    ? sql`${() => alias}.status = ${first}::text`
    : sql`${() => alias}.status = ANY (${statuses}::text[])`;
}

/** All filters that are set, as conditions on a row `r` of `recordings`. */
export function filterConditions({ counted, direct }: ListFilters): Parts {
  const { search, updatedSince } = direct;
  const { status, createdFrom, createdTo } = counted;
  return [
    search !== undefined && sql`r.title_folded LIKE lower(${`%${escapeLike(search)}%`}::text)`,
    updatedSince && sql`r.updated_at >= ${updatedSince}::timestamptz`,
    status && statusCondition('r', status),
    createdFrom && sql`r.created_at >= ${createdFrom}::timestamptz`,
    createdTo && sql`r.created_at <= ${createdTo}::timestamptz`,
  ];
}

/** Whether the total can be computed from counts alone. */
export function isCounted({ direct }: ListFilters): boolean {
  return Object.values(direct).every((value) => value === undefined);
}

/** What the list shows, as a condition on a row `r` of `recordings`, for statements that find recordings in other ways. */
export function visibleCondition({ slices, viewerId, filters }: ListScope): Sql {
  const parts = slices.map((slice) => {
    const column = sql`r.${() => slice.column} = ANY (${slice.values}::uuid[])`;
    return sql`(${joined([column, ...ownership(slice, viewerId)], ' AND ')})`;
  });
  const visible = parts.length > 0 ? joined(parts, ' OR ') : sql`false`;
  return joined([sql`(${visible})`, ...filterConditions(filters)], ' AND ');
}
