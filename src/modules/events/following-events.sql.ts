import { EVENT_COLUMNS, type PublishedEvent } from './publishing/change-publishing.service.js';

/** An event of the table; all null if there is none. */
export type FollowingRow = PublishedEvent & {
  readonly publishedAt: Date;
  /** The last position that has been given, of any event; null if there is none. */
  readonly head: string | null;
};

const COLUMNS = `${EVENT_COLUMNS}, published_at AS "publishedAt"`;

/** The positions given so far are read in the snapshot of the events: everything up to there is seen. */
const following = (found: string): string => `
  SELECT head.head, found.*
  FROM (SELECT max(position)::text AS head FROM events) AS head
  LEFT JOIN (${found}) AS found ON true
  ORDER BY found.position`;

/**
 * At most `$4` events after `$3`, of the organizations `$2` and of the user `$1`, in order of position: the first ones of each,
 * merged. However many events there are, as many rows are read.
 */
export const EVENTS_AFTER = following(`
  SELECT * FROM (
    SELECT e.* FROM unnest($2::uuid[]) AS scope (id)
    CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM events
      WHERE organization_id = scope.id AND position > $3::bigint ORDER BY position LIMIT $4::int) AS e
    UNION
    SELECT * FROM (
      SELECT ${COLUMNS} FROM events
      WHERE user_id = $1::uuid AND position > $3::bigint ORDER BY position LIMIT $4::int) AS own
  ) AS merged ORDER BY position LIMIT $4::int`);

/** The same for one recording (`$1`), whoever it concerns. */
export const EVENTS_OF_RECORDING_AFTER = following(`
  SELECT ${COLUMNS} FROM events
  WHERE recording_id = $1::uuid AND position > $2::bigint ORDER BY position LIMIT $3::int`);

/** The position before the first event that was published at `$1` or later; without one, the last position. */
export const POSITION_BEFORE = `
  SELECT coalesce(
    (SELECT position - 1 FROM events WHERE published_at >= $1 ORDER BY published_at, position LIMIT 1),
    (SELECT max(position) FROM events), 0)::text AS position`;

/** What happened after `$1` in the order of positions: at most `$2` events, by whom they may concern. */
export const CONCERNED_AFTER = `
  WITH fresh AS MATERIALIZED (
    SELECT position, type, organization_id, user_id FROM events WHERE position > $1::bigint ORDER BY position LIMIT $2::int)
  SELECT max(position)::text AS last, count(*)::int AS n,
    (SELECT json_agg(d) FROM (SELECT DISTINCT type, organization_id AS "organizationId", user_id AS "userId" FROM fresh) AS d) AS concerned
  FROM fresh`;
