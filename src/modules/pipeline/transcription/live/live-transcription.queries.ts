import type { EntityManager } from 'typeorm';
import type { UploadPart } from '../../../uploads/entities/upload.entity.js';
import { sql } from '../../../../platform/database/sql.js';

/** A meeting in progress, or a track of one, that is to be transcribed, and has no transcript but what was heard of it. */
export interface Meeting {
  readonly recordingId: string;
  readonly ownerId: string | null;
  readonly organizationId: string | null;
  readonly language: string | null;
  readonly received: number;
  /** The attempt that listens to it; null if none does yet. */
  readonly attempt: string | null;
  /** The participant of the track; null if it is the meeting as a whole. */
  readonly speaker: string | null;
  /** Seconds of the meeting at which it begins. */
  readonly offset: number;
}

/** Undefined if it is over, not a meeting in progress, or not to be transcribed, or if its tracks are heard instead. */
export async function findMeeting(manager: EntityManager, uploadId: string): Promise<Meeting | undefined> {
  const [found] = await sql(manager)<Meeting>`
    SELECT r.id AS "recordingId", r.owner_id AS "ownerId", r.organization_id AS "organizationId",
           COALESCE(own.language, r.language) AS language, u.received::float8 AS received, t.attempt_id AS attempt,
           own.name AS speaker, COALESCE(own.given_offset, 0)::float8 AS "offset"
    FROM uploads u JOIN recordings r ON r.id = COALESCE(u.track_of, u.recording_id)
      LEFT JOIN tracks own ON own.id = u.recording_id LEFT JOIN transcripts t ON t.recording_id = r.id
    WHERE u.recording_id = ${uploadId} AND u.size IS NULL AND u.closed_at IS NULL AND u.received > 0
      AND NOT u.fetched AND r.auto_transcribe AND r.media_key IS NULL AND (t.recording_id IS NULL OR t.live)
      AND CASE WHEN u.track_of IS NULL THEN NOT u.added AND NOT EXISTS (SELECT FROM tracks WHERE recording_id = r.id)
          ELSE own.kind <> 'screen' END`;
  return found;
}

/** The parts with the bytes from `from` up to but not including `to`. */
export const findArrivedParts = async (
  manager: EntityManager,
  uploadId: string,
  from: number,
  to: number,
): Promise<Pick<UploadPart, 'start' | 'size' | 'key'>[]> => sql(manager)`
    SELECT start::float8 AS start, size::float8 AS size, key FROM upload_parts
    WHERE recording_id = ${uploadId} AND start + size > ${from}::bigint AND start < ${to}::bigint
    ORDER BY start`;
