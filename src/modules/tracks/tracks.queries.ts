import type { EntityManager } from 'typeorm';
import { invalid } from '../../contract/domain-error.js';
import { sql } from '../../platform/database/sql.js';
import { isUuid } from '../../platform/ids.js';
import type { Track } from '../media/entities/track.entity.js';

export type TrackStatus = 'UPLOADING' | 'PROCESSING' | 'COMPLETED' | 'ERROR';

/** A track, with how far it has got. */
export type FoundTrack = Omit<
  Track,
  'recordingId' | 'notice' | 'attemptId' | 'storedBytes' | 'givenOffset'
> & {
  readonly status: TrackStatus;
  readonly statusReason: string | null;
  readonly progress: number;
};

/** The tracks of a recording in the order in which they were added, or only one of them. */
export const findTracks = (
  manager: EntityManager,
  recordingId: string,
  id: string | null = null,
): Promise<FoundTrack[]> => sql(manager)`
  SELECT t.id, t.user_id AS "userId", t.name, t.kind, t.language, t.origin, t."offset", t.alignment, t.duration,
         t.source_key AS "sourceKey", t.source_type AS "sourceType", t.source_sha256 AS "sourceSha256",
         t.package_key AS "packageKey", t.audio_playlist AS "audioPlaylist", t.picture_playlist AS "picturePlaylist",
         t.created_at AS "createdAt",
         CASE WHEN u.status_reason IS NOT NULL THEN 'ERROR' WHEN u.recording_id IS NULL THEN 'COMPLETED'
              WHEN u.closed_at IS NULL THEN 'UPLOADING' ELSE 'PROCESSING' END AS status,
         COALESCE(u.status_reason, t.notice) AS "statusReason",
         CASE WHEN u.recording_id IS NULL THEN 1 WHEN u.closed_at IS NOT NULL THEN GREATEST(0.5, u.progress)
              ELSE COALESCE(0.5 * u.received / NULLIF(u.size, 0), 0) END::float8 AS progress
  FROM tracks t LEFT JOIN uploads u ON u.recording_id = t.id
  WHERE t.recording_id = ${recordingId}::uuid AND (${id}::uuid IS NULL OR t.id = ${id}::uuid)
  ORDER BY t.created_at, t.id`;

/** The name of a user who can take part, if any is given; 400 `VALIDATION_ERROR` for others. */
export async function requireParticipant(
  manager: EntityManager,
  recordingId: string,
  userId: string | null | undefined,
): Promise<string | undefined> {
  if (!userId) return undefined;
  const [found] = await sql(manager)<{ name: string }>`
    SELECT u.name FROM recordings r JOIN users u ON u.id = r.owner_id
      OR EXISTS (SELECT FROM organization_members m WHERE m.organization_id = r.organization_id AND m.user_id = u.id)
    WHERE r.id = ${recordingId}::uuid AND u.id = ${isUuid(userId) ? userId : null}::uuid`;
  if (found) return found.name;
  throw invalid('user_id: must be a member of the organization, or the owner of the recording');
}

/** Sets whether a recording is to be transcribed if that is `wanted` or not, and for one without media to the `preset`. */
export async function wantTranscript(
  manager: EntityManager,
  recordingId: string,
  { wanted, preset }: { readonly wanted: boolean | undefined; readonly preset: boolean | undefined },
): Promise<void> {
  await sql(manager)`
    UPDATE recordings
    SET auto_transcribe = COALESCE(${wanted ?? null}::boolean, CASE WHEN without_media THEN ${preset ?? null}::boolean END, auto_transcribe)
    WHERE id = ${recordingId}::uuid`;
}
