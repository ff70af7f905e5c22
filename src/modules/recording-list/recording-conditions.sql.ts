import type { RecordingStatus } from '../../policy/recording-status.js';
import type { VisibilitySlice } from './recording-scope.js';
import { escapeLike } from '../../platform/database/like.js';
import type { Parameters } from '../../platform/database/statement.js';

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
export function ownership(
  { only, outside }: VisibilitySlice,
  viewerId: string,
  parameters: Parameters,
): string[] {
  if (only === 'personal') return ['r.organization_id IS NULL'];
  if (only !== 'own') return [];
  // A subquery rather than a list, so that PostgreSQL uses a hash table instead of comparing with every folder.
  const own = `r.owner_id = ${parameters.bind(viewerId, 'uuid')}`;
  if (!outside) return [own];
  return [
    own,
    `(r.folder_id IS NULL OR r.folder_id NOT IN (SELECT unnest(${parameters.bind(outside, 'uuid[]')})))`,
  ];
}

type Conditions<Filters> = {
  readonly [Name in keyof Required<Filters>]: (
    value: NonNullable<Filters[Name]>,
    parameters: Parameters,
  ) => string;
};

const COUNTED: Conditions<CountedFilters> = {
  status: (statuses, parameters) => statusCondition('r', statuses, parameters),
  createdFrom: (from, parameters) => `r.created_at >= ${parameters.bind(from, 'timestamptz')}`,
  createdTo: (to, parameters) => `r.created_at <= ${parameters.bind(to, 'timestamptz')}`,
};

const DIRECT: Conditions<DirectFilters> = {
  search: (search, parameters) =>
    `r.title_folded LIKE lower(${parameters.bind(`%${escapeLike(search)}%`, 'text')})`,
  updatedSince: (since, parameters) => `r.updated_at >= ${parameters.bind(since, 'timestamptz')}`,
};

/** On the status of a row of recordings or of their counts. */
export function statusCondition(
  alias: string,
  statuses: readonly RecordingStatus[],
  parameters: Parameters,
): string {
  const [first] = statuses;
  return statuses.length === 1
    ? `${alias}.status = ${parameters.bind(first, 'text')}`
    : `${alias}.status = ANY (${parameters.bind(statuses, 'text[]')})`;
}

/** All filters that are set, as conditions on a row `r` of `recordings`. */
export function filterConditions({ counted, direct }: ListFilters, parameters: Parameters): string[] {
  return [
    ...conditionsOf(DIRECT, direct, parameters),
    ...conditionsOf<CountedFilters>(COUNTED, counted, parameters),
  ];
}

function conditionsOf<Filters extends object>(
  conditions: Conditions<Filters>,
  filters: Filters,
  parameters: Parameters,
): string[] {
  return (Object.keys(conditions) as (keyof Filters)[]).flatMap((name) => {
    const value = filters[name];
    return value === undefined || value === null ? [] : [conditions[name](value, parameters)];
  });
}

/** Whether the total can be computed from counts alone. */
export function isCounted({ direct }: ListFilters): boolean {
  return Object.values(direct).every((value) => value === undefined);
}

/** What the list shows, as a condition on a row `r` of `recordings`, for statements that find recordings in other ways. */
export function visibleCondition(scope: ListScope, parameters: Parameters): string {
  const parts = scope.slices.map((slice) =>
    [
      `r.${slice.column} = ANY (${parameters.bind(slice.values, 'uuid[]')})`,
      ...ownership(slice, scope.viewerId, parameters),
    ].join(' AND '),
  );
  const visible = parts.length > 0 ? parts.map((part) => `(${part})`).join(' OR ') : 'false';
  return [`(${visible})`, ...filterConditions(scope.filters, parameters)].join(' AND ');
}
