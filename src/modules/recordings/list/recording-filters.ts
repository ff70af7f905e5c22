import type { Metadata } from '../../../contract/external-ids.js';
import { endOf, parseTimestamp } from '../../../platform/clock/timestamps.js';
import { sql, type Parts, type Sql } from '../../../platform/database/sql.js';
import type { RecordingStatus } from '../../../policy/recording-status.js';
import type { ListRecordingsDto, RecordingFilters } from './public/list-recordings.dto.js';

/** Filters by what `recording_counts` distinguishes, so that their totals can be added up from counts. */
export interface CountedFilters {
  /** Any of these. */
  readonly status?: readonly RecordingStatus[];
  /** Both inclusive. */
  readonly createdFrom?: Date;
  readonly createdTo?: Date;
}

/**
 * All other filters, as conditions on a row `r` of `recordings`: when one of them is set, recordings are counted one by
 * one. A new filter is a field of `ListRecordingsDto` and its condition here, from which page and total follow.
 */
const DIRECT = {
  search: (text: string) => sql`r.title_folded LIKE title_pattern(${text}::text)`,
  updated_since: (since: string) => sql`r.updated_at >= ${parseTimestamp(since)?.date ?? null}::timestamptz`,
  external_id: (externalId: string) => sql`r.external_id = ${externalId}::text`,
  // The second condition is that of the index.
  metadata: (metadata: Metadata) =>
    sql`r.metadata @> ${JSON.stringify(metadata)}::jsonb AND r.metadata <> '{}'`,
} satisfies { [Name in keyof ListRecordingsDto]?: (value: NonNullable<ListRecordingsDto[Name]>) => Sql };

const DIRECT_NAMES = Object.keys(DIRECT) as (keyof typeof DIRECT)[];

export type DirectFilters = Readonly<Pick<ListRecordingsDto, keyof typeof DIRECT>>;

export interface ListFilters {
  readonly counted: CountedFilters;
  readonly direct: DirectFilters;
}

export function readFilters(query: RecordingFilters & DirectFilters): ListFilters {
  const from = query.date_from === undefined ? null : parseTimestamp(query.date_from);
  const to = query.date_to === undefined ? null : parseTimestamp(query.date_to);
  const createdFrom = from?.date;
  const createdTo = to ? endOf(to) : undefined;
  const status = typeof query.status === 'string' ? [query.status] : query.status;
  return { counted: { status, createdFrom, createdTo }, direct: query };
}

/** The condition on the status of a row of recordings or of their counts. */
export function statusCondition(alias: 'c' | 'r', statuses: readonly RecordingStatus[]): Sql {
  const [first = null] = statuses;
  return statuses.length === 1
    ? sql`${() => alias}.status = ${first}::text`
    : sql`${() => alias}.status = ANY (${statuses}::text[])`;
}

/** All filters that are set, as conditions on a row `r` of `recordings`. */
export function filterConditions({ counted, direct }: ListFilters): Parts {
  const { status, createdFrom, createdTo } = counted;
  return [
    ...DIRECT_NAMES.map((name) => direct[name] !== undefined && conditionOf(name, direct)),
    status && statusCondition('r', status),
    createdFrom && sql`r.created_at >= ${createdFrom}::timestamptz`,
    createdTo && sql`r.created_at <= ${createdTo}::timestamptz`,
  ];
}

const conditionOf = <Name extends keyof DirectFilters>(name: Name, direct: DirectFilters): Sql =>
  (DIRECT[name] as (value: DirectFilters[Name]) => Sql)(direct[name]);

/** Whether the total can be computed from counts alone. */
export function isCounted({ direct }: ListFilters): boolean {
  return DIRECT_NAMES.every((name) => direct[name] === undefined);
}
