import type { RecordingStatus } from '../../policy/recording-status.js';
import type { Stream } from './recording-scope.js';

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

export interface ListQuery extends ListScope {
  readonly limit: number;
  readonly offset: number;
}

export interface Statement {
  readonly sql: string;
  readonly parameters: unknown[];
}

const ORDER = 'created_at DESC, id';

/**
 * One statement for page and total. Without a search every stream is read in the order of its index and stops after
 * the page; with one, the hits are collected once and then counted and cut.
 */
export function listStatement(query: ListQuery): Statement {
  const parameters = new Parameters();
  const conditions = filterConditions(query.filters, parameters);
  const streams = query.streams.map((stream) => ({
    column: stream.column,
    values: parameters.bind(stream.values, 'uuid[]'),
    rest: [...ownership(stream, query.viewerId, parameters), ...conditions]
      .map((condition) => ` AND ${condition}`)
      .join(''),
  }));
  const all = streams.map(
    ({ column, values, rest }) => `FROM recordings r WHERE r.${column} = ANY (${values})${rest}`,
  );
  const end = `LIMIT ${parameters.bind(query.limit, 'bigint')} OFFSET ${parameters.bind(query.offset, 'bigint')}`;
  if (query.filters.search !== undefined) {
    const hits = union(all.map((part) => `SELECT r.id, r.created_at ${part}`));
    return parameters.statement(`WITH
      hits AS MATERIALIZED (${hits}),
      page AS (SELECT id, created_at FROM hits ORDER BY ${ORDER} ${end}),
      total AS (SELECT count(*) AS total FROM hits)
      ${SELECT_PAGE}`);
  }
  const most = parameters.bind(query.limit + query.offset, 'bigint');
  const firsts = union(
    streams.map(
      ({ column, values, rest }) => `SELECT first.id, first.created_at FROM unnest(${values}) AS v (value)
        CROSS JOIN LATERAL (SELECT r.id, r.created_at FROM recordings r WHERE r.${column} = v.value${rest}
          ORDER BY r.created_at DESC, r.id LIMIT ${most}) first`,
    ),
  );
  const counts = union(all.map((part) => `SELECT count(*) AS n ${part}`));
  return parameters.statement(`WITH
    page AS (SELECT id, created_at FROM (${firsts}) merged ORDER BY ${ORDER} ${end}),
    total AS (SELECT sum(n) AS total FROM (${counts}) counts)
    ${SELECT_PAGE}`);
}

/** The same as a condition on a row `r` of `recordings`, for statements that find recordings in another way. */
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

/** Collects the parameters of a statement while its text is put together. */
export class Parameters {
  private readonly values: unknown[] = [];

  bind(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }

  statement(sql: string): Statement {
    return { sql, parameters: this.values };
  }
}

const union = (parts: readonly string[]): string => parts.join(' UNION ALL ');

/** The columns of a `ListedRow`, of rows `r` of `recordings` and `t` of `transcripts`. */
export const LISTED_COLUMNS = `r.id, r.title, r.status, r.progress, r.owner_id, r.organization_id, r.created_at, r.package_key,
         t.status AS transcript_status`;

/** One row per recording of the page; a page without any is one row of the total alone. */
const SELECT_PAGE = `
  SELECT total.total, ${LISTED_COLUMNS}
  FROM total
  LEFT JOIN page ON true
  LEFT JOIN recordings r ON r.id = page.id
  LEFT JOIN transcripts t ON t.recording_id = page.id
  ORDER BY page.created_at DESC, page.id`;

function ownership({ only }: Stream, viewerId: string, parameters: Parameters): string[] {
  if (only === 'personal') return ['r.organization_id IS NULL'];
  if (only === 'own') return [`r.owner_id = ${parameters.bind(viewerId, 'uuid')}`];
  if (only === 'others') return [`r.owner_id IS DISTINCT FROM ${parameters.bind(viewerId, 'uuid')}`];
  return [];
}

function filterConditions(filters: ListFilters, parameters: Parameters): string[] {
  const { status, search, createdFrom, createdTo } = filters;
  return [
    status && `r.status = ${parameters.bind(status, 'text')}`,
    search !== undefined && `r.title ILIKE ${parameters.bind(`%${escapeLike(search)}%`, 'text')}`,
    createdFrom && `r.created_at >= ${parameters.bind(createdFrom, 'timestamptz')}`,
    createdTo && `r.created_at <= ${parameters.bind(createdTo, 'timestamptz')}`,
  ].filter((condition): condition is string => typeof condition === 'string');
}

/** `%`, `_` and `\` are ordinary characters of a search. */
function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
