import type { EntityManager } from 'typeorm';
import type { ChangeTypeName } from '../../contract/changes/change-catalog.js';
import type { IdSource } from '../../contract/changes/event-families.js';
import { type Sql, sql } from '../../platform/database/sql.js';
import type { Role } from '../../policy/roles.js';
import type { PublishedEvent } from './public/published-event.js';
import { EVENT_COLUMNS } from './publishing/publishing.queries.js';

/** An event of the table; all but `head` is null if there is none. */
export type FollowingRow = PublishedEvent & {
  readonly publishedAt: Date;
  /** The last position that has been given, of any event; null if there is none. */
  readonly head: string | null;
};

/** The position to read on from, and the maximum number of rows. */
interface Following {
  readonly after: bigint;
  readonly limit: number;
}

/** The row of the change log that an event publishes. */
export interface LoggedRow extends Readonly<Record<IdSource, string | null>> {
  readonly changeId: string;
  readonly actorKind: string;
  readonly actorId: string | null;
  /** The name of the service account that is the actor; null for others. */
  readonly serviceAccount: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The user and the organization that a new event concerns. */
export interface Concerned {
  readonly type: ChangeTypeName;
  readonly organizationId: string | null;
  readonly userId: string | null;
}

const COLUMNS = `${EVENT_COLUMNS}, published_at AS "publishedAt"`;

/** The positions given so far are read in the snapshot of the events: everything up to there is seen. */
const withHead = (found: Sql): Sql => sql`
  SELECT head.head, found.*
  FROM (SELECT max(position)::text AS head FROM events) AS head
  LEFT JOIN (${found}) AS found ON true
  ORDER BY found.position`;

/** The events after a position of the organizations and the user, merged; as many rows of each are read. */
export async function findEventsAfter(
  manager: EntityManager,
  {
    userId,
    organizationIds,
  }: { readonly userId: string | null; readonly organizationIds: readonly string[] },
  { after, limit }: Following,
): Promise<FollowingRow[]> {
  const next = sql`position > ${after.toString()}::bigint ORDER BY position LIMIT ${limit}::int`;
  const found = sql`
    SELECT * FROM (
      SELECT e.* FROM unnest(${organizationIds}::uuid[]) AS scope (id)
      CROSS JOIN LATERAL (SELECT ${() => COLUMNS} FROM events WHERE organization_id = scope.id AND ${next}) AS e
      UNION
      SELECT * FROM (SELECT ${() => COLUMNS} FROM events WHERE user_id = ${userId}::uuid AND ${next}) AS own
    ) AS merged ORDER BY position LIMIT ${limit}::int`;
  return sql(manager)`${withHead(found)}`;
}

/** Returns the events of one recording after a position, for every audience. */
export async function findRecordingEventsAfter(
  manager: EntityManager,
  recordingId: string | null,
  { after, limit }: Following,
): Promise<FollowingRow[]> {
  const found = sql`
    SELECT ${() => COLUMNS} FROM events WHERE recording_id = ${recordingId}::uuid AND position > ${after.toString()}::bigint
    ORDER BY position LIMIT ${limit}::int`;
  return sql(manager)`${withHead(found)}`;
}

/** The position before the first event that was published at this time or later; without one, the last position. */
export async function findPositionBefore(manager: EntityManager, time: Date): Promise<bigint> {
  const { position } = await sql(manager).row<{ position: string }>`
    SELECT coalesce(
      (SELECT position - 1 FROM events WHERE published_at >= ${time} ORDER BY published_at, position LIMIT 1),
      (SELECT max(position) FROM events), 0)::text AS position`;
  return BigInt(position);
}

/** Finds out whom the `n` events after a position may concern. `last`: the position of the last of them. */
export async function findConcernedAfter(
  manager: EntityManager,
  { after, limit }: Following,
): Promise<{ last: string | null; n: number; concerned: readonly Concerned[] | null }> {
  return sql(manager).row`
    WITH fresh AS MATERIALIZED (
      SELECT position, type, organization_id, user_id FROM events
      WHERE position > ${after.toString()}::bigint ORDER BY position LIMIT ${limit}::int)
    SELECT max(position)::text AS last, count(*)::int AS n,
      (SELECT json_agg(d) FROM (
         SELECT DISTINCT type, organization_id AS "organizationId", user_id AS "userId" FROM fresh) AS d) AS concerned
    FROM fresh`;
}

/** The roles of a user, by organization: in these, or in all of them. */
export async function findRoles(
  manager: EntityManager,
  userId: string,
  organizationIds: readonly string[] | null,
): Promise<ReadonlyMap<string, Role>> {
  const rows = await sql(manager)<{ id: string; role: Role }>`
    SELECT organization_id AS id, role FROM organization_members
    WHERE user_id = ${userId} AND (${organizationIds}::uuid[] IS NULL OR organization_id = ANY (${organizationIds}::uuid[]))`;
  return new Map(rows.map(({ id, role }) => [id, role]));
}

/** The rows of the log that these events publish, by the ids of the changes. */
export async function findLoggedRows(
  manager: EntityManager,
  events: readonly PublishedEvent[],
): Promise<ReadonlyMap<string, LoggedRow>> {
  const rows = await sql(manager)<LoggedRow>`
    SELECT c.id AS "changeId", c.actor_kind AS "actorKind", c.actor_id AS "actorId", c.details,
           c.recording_id AS "recordingId", c.target_id AS "targetId", c.user_id AS "userId",
           (SELECT u.name FROM users u WHERE u.id = c.actor_id AND u.service_of IS NOT NULL) AS "serviceAccount"
    FROM unnest(${events.map(({ changeId }) => changeId)}::uuid[], ${events.map(({ at }) => at)}::timestamptz[]) AS wanted (id, at)
    JOIN change_log c ON c.at = wanted.at AND c.id = wanted.id`;
  return new Map(rows.map((row) => [row.changeId, row]));
}

/**
 * Whether the user saw the recording where it was, if it is not there any more; open folders are those of the members
 * of now. All but `userId` are expressions.
 */
const saw = (userId: string, viewers: string, folder: string, access: string): Sql => sql`
  (r.id, r.organization_id, r.folder_id) IS DISTINCT FROM (c.recording_id, c.organization_id, ${() => folder})
  AND (${userId}::uuid = ANY (${() => viewers})
    OR ${() => access} = 'open' AND EXISTS (
      SELECT FROM organization_members m
      WHERE m.organization_id = c.organization_id AND m.user_id = ${userId}::uuid AND m.view_folder_recordings))`;

/** Those of the positions whose recording the user saw where it was then. A move was in two folders. */
export async function findSeenWhereItWas(
  manager: EntityManager,
  userId: string,
  positions: readonly string[],
): Promise<string[]> {
  const statement = sql`
    SELECT e.position FROM unnest(${positions}::bigint[]) AS hidden (position)
    JOIN events e USING (position)
    JOIN change_log c ON c.at = e.at AND c.id = e.change_id
    LEFT JOIN recordings r ON r.id = e.recording_id AND r.deleted_at IS NULL
    WHERE ${saw(userId, 'e.seen_by', 'c.folder_id', 'c.folder_access')}
      OR e.previously_seen_by IS NOT NULL AND ${saw(
        userId,
        'e.previously_seen_by',
        "(c.details #>> '{before,folder_id}')::uuid",
        "c.details #>> '{before,folder_access}'",
      )}`;
  const rows = await sql(manager)<{ position: string }>`${statement}`;
  return rows.map(({ position }) => position);
}
