import type { EntityManager } from 'typeorm';
import { sql, tableOf } from '../../../platform/database/sql.js';
import { newId } from '../../../platform/ids.js';
import type { RequestsUnderWay } from '../../../platform/outbound/requests-under-way.js';
import type { Sealed } from '../../../platform/sealing/sealer.js';
import type { AuditEntry } from '../dto/audit-entry.response.dto.js';
import { ENTRIES_OF_PAGE, ENTRY_COLUMNS } from '../reading/audit-log.queries.js';
import { NO_ORGANIZATION, ROWS_PER_SEAL } from '../seals/seal.js';
import type { AuditStreamFormat } from '../../../platform/config/audit-stream-formats.js';

/** Longer than a request with what belongs to it may take. If the process is killed, another one sends it again then. */
const LEASE_MS = 60_000;
/** Seals that one batch looks into: many may have one row each. */
const SEALS_AT_A_TIME = 250;

/** A stream that this process alone may send, until its lease ends. Sealed: its `StreamEndpoint` as JSON. */
export interface ClaimedStream extends Sealed {
  /** That of the organization, or `NO_ORGANIZATION`. */
  readonly id: string;
  /** Null for the receiver of the settings, whose endpoint and format are there: it gets the whole log. */
  readonly organizationId: string | null;
  readonly format: AuditStreamFormat;
  readonly position: string;
  readonly claim: string;
  /** Failures since the last success. */
  readonly tries: number;
  readonly failingSince: Date | null;
  /** Whether the receiver is known to answer. */
  readonly fast: boolean;
}

/** A row with its position: that of its seal, times the rows of a seal, plus its number in it. */
export type StreamedEntry = AuditEntry & { readonly position: string };

/** The position before everything that is sealed from now on. */
export const END = sql`(SELECT (coalesce(max(position), 0) + 1) * ${ROWS_PER_SEAL}::int FROM audit_seals)`;

/** Adds the stream of the settings, if it is new; without a receiver, it waits where it is. */
export async function noteOperatorStream(manager: EntityManager, isSet: boolean): Promise<void> {
  if (isSet)
    await sql(manager)`
      INSERT INTO audit_streams (id, position, due_at) VALUES (${NO_ORGANIZATION}, ${END}, now())
      ON CONFLICT (id) DO UPDATE SET due_at = now() WHERE audit_streams.due_at IS NULL`;
  else await sql(manager)`UPDATE audit_streams SET due_at = NULL WHERE id = ${NO_ORGANIZATION}`;
}

/**
 * Claims streams that are due and have something to send, so that of all processes one sends each: as many as there is
 * room for, and among those that do not answer, by chance.
 */
export async function claimStreams(
  manager: EntityManager,
  requests: RequestsUnderWay,
  /** `own`: whether this process has the receiver of the settings. */
  { now, own }: { readonly now: Date; readonly own: boolean },
): Promise<ClaimedStream[]> {
  const room = requests.room();
  if (room.fast + room.other === 0) return [];
  return sql(manager)`
    WITH candidates AS (
      SELECT s.id, s.failing_since IS NULL AND s.sent_at IS NOT NULL AND known.slow IS NOT TRUE AS fast
      FROM audit_streams s LEFT JOIN organizations o ON o.id = s.organization_id LEFT JOIN ${tableOf(requests.knownColumns(), 'known')} ON known.id = s.id
      WHERE CASE WHEN s.organization_id IS NULL THEN ${own}::boolean AND coalesce(s.due_at, ${now}) <= ${now}
            ELSE s.due_at <= ${now} AND o.deleted_at IS NULL END
        AND coalesce(known.requests, 0) = 0 AND audit_unsent_since(s) IS NOT NULL
    ), chosen AS (
      SELECT id, fast FROM (
        SELECT id, fast, row_number() OVER (PARTITION BY fast ORDER BY random()) AS nth FROM candidates) AS ranked
      WHERE nth <= CASE WHEN fast THEN ${room.fast}::int ELSE ${room.other}::int END
    ), locked AS (
      SELECT s.id, chosen.fast FROM audit_streams s JOIN chosen ON chosen.id = s.id
      WHERE coalesce(s.due_at, ${now}) <= ${now} FOR NO KEY UPDATE OF s SKIP LOCKED
    )
    UPDATE audit_streams s SET due_at = ${new Date(now.getTime() + LEASE_MS)}, claim = ${newId()}::uuid
    FROM locked WHERE s.id = locked.id
    RETURNING s.id, s.organization_id AS "organizationId", s.endpoint_sealed AS sealed, s.sealing_key_id AS "keyId", s.format,
      s.position, s.claim, s.tries, s.failing_since AS "failingSince", locked.fast`;
}

/** The next rows of a stream, in the order of seals, and how far they go: also if all have disappeared. */
export async function findNext(
  manager: EntityManager,
  { position, organizationId }: Pick<ClaimedStream, 'position' | 'organizationId'>,
  limit: number,
): Promise<{ readonly entries: StreamedEntry[]; readonly end: string }> {
  const after = sql`${position}::bigint`;
  const next = sql`
    WITH seals AS MATERIALIZED (
      SELECT l.position, l.row_ids, l.row_times FROM audit_seals l
      WHERE ${organizationId === null ? sql`true` : sql`l.organization_id = ${organizationId}`}
        AND l.position >= (${after} - 1) / ${ROWS_PER_SEAL}::int
        AND l.position * ${ROWS_PER_SEAL}::int + l.row_count > ${after} AND l.row_ids IS NOT NULL
      ORDER BY l.position
      LIMIT ${SEALS_AT_A_TIME}::int
    ), page AS MATERIALIZED (
      SELECT s.position * ${ROWS_PER_SEAL}::int + r.number AS position, r.id,
        to_timestamp(r.time / 1000.0)::timestamptz(3) AS at
      FROM seals s CROSS JOIN LATERAL unnest(s.row_ids, s.row_times) WITH ORDINALITY AS r (id, time, number)
      WHERE s.position * ${ROWS_PER_SEAL}::int + r.number > ${after} ORDER BY 1 LIMIT ${limit}::int)`;
  const entries = await sql(manager)<StreamedEntry>`${next}
    SELECT page.position, ${() => ENTRY_COLUMNS} FROM ${() => ENTRIES_OF_PAGE} ORDER BY page.position`;
  const last = entries.at(-1);
  if (last) return { entries, end: last.position };
  const { end } = await sql(manager).row<{
    end: string | null;
  }>`${next} SELECT max(position) AS "end" FROM page`;
  return { entries, end: end ?? position };
}

/** What is known of the stream of an organization. */
interface StreamState extends Sealed {
  readonly format: AuditStreamFormat;
  readonly sentAt: Date | null;
  readonly failingSince: Date | null;
  readonly lastError: string | null;
  readonly lagSeconds: number;
}

export async function findStream(
  manager: EntityManager,
  organizationId: string,
): Promise<StreamState | undefined> {
  const [stream] = await sql(manager)<StreamState>`
    SELECT s.endpoint_sealed AS sealed, s.sealing_key_id AS "keyId", s.format, s.sent_at AS "sentAt",
      s.failing_since AS "failingSince", s.last_error AS "lastError",
      greatest(0, coalesce(ceil(extract(epoch FROM clock_timestamp() - audit_unsent_since(s))), 0))::int AS "lagSeconds"
    FROM audit_streams s WHERE s.organization_id = ${organizationId}::uuid`;
  return stream;
}

/** Gives the stream of an organization an endpoint. It continues where the one before it has ended. */
export async function putStream(
  manager: EntityManager,
  organizationId: string,
  { sealed, keyId, format, now }: Pick<StreamState, keyof Sealed | 'format'> & { readonly now: Date },
): Promise<void> {
  const id = sql`${organizationId}::uuid`;
  await sql(manager)`
    INSERT INTO audit_streams (id, organization_id, endpoint_sealed, sealing_key_id, format, changed_at, position, due_at)
    VALUES (${id}, ${id}, ${sealed}, ${keyId}, ${format}, ${now}, ${END}, ${now})
    ON CONFLICT (id) DO UPDATE SET endpoint_sealed = excluded.endpoint_sealed, sealing_key_id = excluded.sealing_key_id,
      format = excluded.format, changed_at = excluded.changed_at, due_at = excluded.due_at, claim = NULL, tries = 0,
      failing_since = NULL, last_error = NULL`;
}

/** Returns whether the organization had a stream. */
export async function deleteStream(manager: EntityManager, organizationId: string): Promise<boolean> {
  const deleted = await sql(manager).count`
    DELETE FROM audit_streams WHERE organization_id = ${organizationId}::uuid`;
  return deleted > 0;
}

/** Records a success, unless another process has claimed the stream since. */
export async function recordSent(
  manager: EntityManager,
  { id, claim }: ClaimedStream,
  { position, now }: { readonly position: string; readonly now: Date },
): Promise<void> {
  await sql(manager)`
    UPDATE audit_streams SET position = ${position}::bigint, sent_at = ${now}, due_at = ${now}, tries = 0,
      failing_since = NULL, last_error = NULL
    WHERE id = ${id} AND claim = ${claim}`;
}

/** Records a failure, after which the same rows are sent again. */
export async function recordFailure(
  manager: EntityManager,
  { id, claim }: ClaimedStream,
  { error, now, dueAt }: { readonly error: string; readonly now: Date; readonly dueAt: Date },
): Promise<void> {
  await sql(manager)`
    UPDATE audit_streams SET failing_since = coalesce(failing_since, ${now}), last_error = ${error}, due_at = ${dueAt},
      tries = tries + 1
    WHERE id = ${id} AND claim = ${claim}`;
}
