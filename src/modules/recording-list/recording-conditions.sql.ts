import type { RecordingStatus } from '../../policy/recording-status.js';
import type { Stream } from './recording-scope.js';
import type { Parameters } from '../../platform/database/statement.js';

export interface ListFilters {
  readonly status?: RecordingStatus;
  /** Partial match on the title, ignoring case. */
  readonly search?: string;
  /** Both inclusive. */
  readonly createdFrom?: Date;
  readonly createdTo?: Date;
}

/** What a caller sees, and what of it is asked for. */
export interface ListScope {
  readonly viewerId: string;
  readonly streams: readonly Stream[];
  readonly filters: ListFilters;
}

/** What a stream asks of a recording besides its value. */
export function ownership({ only, outside }: Stream, viewerId: string, parameters: Parameters): string[] {
  if (only === 'personal') return ['r.organization_id IS NULL'];
  if (only !== 'own') return [];
  // A query and not a list: PostgreSQL looks each folder up in a hash table, instead of comparing it with all of them.
  const own = `r.owner_id = ${parameters.bind(viewerId, 'uuid')}`;
  if (!outside) return [own];
  return [
    own,
    `(r.folder_id IS NULL OR r.folder_id NOT IN (SELECT unnest(${parameters.bind(outside, 'uuid[]')})))`,
  ];
}

export function filterConditions(
  { status, createdFrom, createdTo }: ListFilters,
  parameters: Parameters,
): string[] {
  return [
    status && `r.status = ${parameters.bind(status, 'text')}`,
    createdFrom && `r.created_at >= ${parameters.bind(createdFrom, 'timestamptz')}`,
    createdTo && `r.created_at <= ${parameters.bind(createdTo, 'timestamptz')}`,
  ].filter((condition): condition is string => typeof condition === 'string');
}

/** What the list shows as a condition on a row `r` of `recordings`, for statements that find recordings in another way. */
export function visibleCondition(scope: ListScope, parameters: Parameters): string {
  const parts = scope.streams.map((stream) =>
    [
      `r.${stream.column} = ANY (${parameters.bind(stream.values, 'uuid[]')})`,
      ...ownership(stream, scope.viewerId, parameters),
    ].join(' AND '),
  );
  const visible = parts.length > 0 ? parts.map((part) => `(${part})`).join(' OR ') : 'false';
  return [`(${visible})`, ...filterConditions(scope.filters, parameters)].join(' AND ');
}
