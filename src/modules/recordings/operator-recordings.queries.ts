import type { DataSource, EntityManager } from 'typeorm';
import { joined, type Sql, sql } from '../../platform/database/sql.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import { cursorPage, type CursorPage, type CursorPosition } from '../../platform/http/replies/cursor.js';
import { changedBy } from '../../policy/caller.js';
import { COMMAND_LINE } from '../../policy/management.js';
import type { RecordingStatus, ShownStatus } from '../../policy/recording-status.js';
import { requireNotHeld } from '../legal-holds/public/held.queries.js';
import type { MediaService } from '../media/media.service.js';
import { Recording } from './access/entities/recording.entity.js';
import { lockRecordings } from './recordings.queries.js';

/** A recording of anyone, as the host sees it: what it is and how it stands, without its content. */
export interface OperatorRecording
  extends
    CursorPosition,
    Readonly<Pick<Recording, 'title' | 'status' | 'statusReason' | 'progress' | 'duration' | 'storedBytes'>> {
  readonly owner: { readonly id: string; readonly name: string; readonly email: string } | null;
  readonly organization: { readonly id: string; readonly name: string } | null;
  readonly transcription: ShownStatus;
  readonly transcriptionReason: string | null;
  readonly summary: ShownStatus;
}

export interface OperatorQuery {
  /** A part of the title, ignoring case. */
  readonly search?: string;
  readonly ownerId?: string;
  readonly organizationId?: string;
  readonly status?: RecordingStatus;
  readonly limit: number;
  readonly after?: CursorPosition;
}

/** Nothing begins by itself any more. */
const ENDED = ['MIGRATING', 'COMPLETED', 'ERROR'] satisfies RecordingStatus[];

const SELECT = sql`
  SELECT r.id, r.title, r.status, r.status_reason AS "statusReason", r.progress, r.duration, r.created_at AS "createdAt",
         r.stored_bytes::float8 AS "storedBytes",
         CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name, 'email', u.email) END AS owner,
         CASE WHEN o.id IS NOT NULL THEN json_build_object('id', o.id, 'name', o.name) END AS organization,
         coalesce(t.status, CASE WHEN r.auto_transcribe AND r.status <> ALL (${ENDED}::text[]) THEN 'queued' ELSE 'not_started' END) AS transcription, t.status_reason AS "transcriptionReason",
         coalesce(s.status, 'not_started') AS summary
  FROM recordings r
  LEFT JOIN users u ON u.id = r.owner_id
  LEFT JOIN organizations o ON o.id = r.organization_id
  LEFT JOIN transcripts t ON t.recording_id = r.id
  LEFT JOIN summaries s ON s.recording_id = r.id`;

/** Returns a page of the recordings of all users and organizations, newest first. */
export async function listForOperator(
  manager: EntityManager,
  { search, ownerId, organizationId, status, limit, after }: OperatorQuery,
): Promise<CursorPage<OperatorRecording>> {
  const found = await readRows(
    manager,
    sql`WHERE ${joined(
      [
        sql`true`,
        search !== undefined && sql`r.title_folded LIKE title_pattern(${search}::text)`,
        ownerId !== undefined && sql`r.owner_id = ${ownerId}::uuid`,
        organizationId !== undefined && sql`r.organization_id = ${organizationId}::uuid`,
        status !== undefined && sql`r.status = ${status}::text`,
        after && sql`(r.created_at, r.id) < (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
      ],
      ' AND ',
    )} ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit + 1}::int`,
  );
  return cursorPage(found, limit, (recording) => recording);
}

/** Returns those of these recordings that exist, in this order. */
export async function findForOperator(
  manager: EntityManager,
  ids: readonly string[],
): Promise<OperatorRecording[]> {
  return readRows(
    manager,
    sql`WHERE r.id = ANY (${ids}::uuid[]) ORDER BY array_position(${ids}::uuid[], r.id)`,
  );
}

const readRows = (manager: EntityManager, which: Sql): Promise<OperatorRecording[]> =>
  sql(manager)`${SELECT} ${which}`;

/** Returns the ids of everyone and everything that has recordings, which is what the host may search in. */
export async function listScopes(manager: EntityManager): Promise<string[]> {
  const rows = await sql(manager)<{ id: string }>`
    SELECT id FROM users UNION ALL SELECT id FROM organizations`;
  return rows.map(({ id }) => id);
}

/** Deletes a recording with its transcript, summary and share links; a job removes the files. */
export const deleteForOperator = (dataSource: DataSource, media: MediaService, id: string): Promise<void> =>
  transactionBy(dataSource, changedBy(COMMAND_LINE), async (manager) => {
    await lockRecordings(manager, [id]);
    await requireNotHeld(manager, COMMAND_LINE, [id], 'deleted');
    await manager.delete(Recording, { id });
    await media.scheduleDeletion(manager, [id]);
  });
