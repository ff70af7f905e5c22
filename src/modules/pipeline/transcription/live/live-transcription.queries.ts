import type { EntityManager } from 'typeorm';
import type { UploadPart } from '../../../uploads/entities/upload.entity.js';
import { sql } from '../../../../platform/database/sql.js';

/** A meeting in progress that is to be transcribed, and has no transcript but what was heard of it. */
export interface Meeting {
  readonly ownerId: string | null;
  readonly organizationId: string | null;
  readonly language: string | null;
  readonly received: number;
  /** The attempt that listens to it; null if none does yet. */
  readonly attempt: string | null;
}

/** Undefined if it is over, not a meeting in progress, or not to be transcribed. */
export async function findMeeting(manager: EntityManager, recordingId: string): Promise<Meeting | undefined> {
  const [found] = await sql(manager)<Meeting>`
    SELECT r.owner_id AS "ownerId", r.organization_id AS "organizationId", r.language, u.received::float8 AS received,
           t.attempt_id AS attempt
    FROM uploads u JOIN recordings r ON r.id = u.recording_id LEFT JOIN transcripts t ON t.recording_id = r.id
    WHERE u.recording_id = ${recordingId} AND u.size IS NULL AND u.closed_at IS NULL AND u.received > 0
      AND NOT u.added AND NOT u.fetched AND r.auto_transcribe AND (t.recording_id IS NULL OR t.live)`;
  return found;
}

/** The parts with the bytes from `from` up to but not including `to`. */
export const findArrivedParts = async (
  manager: EntityManager,
  recordingId: string,
  from: number,
  to: number,
): Promise<Pick<UploadPart, 'start' | 'size' | 'key'>[]> => sql(manager)`
    SELECT start::float8 AS start, size::float8 AS size, key FROM upload_parts
    WHERE recording_id = ${recordingId} AND start + size > ${from}::bigint AND start < ${to}::bigint
    ORDER BY start`;
