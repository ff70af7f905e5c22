import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';
import type { JobOwner } from '../../../platform/jobs/fair-share.js';
import type { Track } from '../../media/entities/track.entity.js';

/** What an attempt at a track starts from. */
export interface TrackFacts
  extends
    Pick<Track, 'recordingId' | 'name' | 'kind' | 'language' | 'origin' | 'givenOffset' | 'sourceKey'>,
    JobOwner {
  /** Keys of what was uploaded, in order; empty for one that has been processed before. */
  readonly parts: readonly string[];
  readonly mediaType: string | null;
  /** The user who sent it. */
  readonly sentBy: string | null;
  readonly startedAt: Date | null;
  /** What is heard of everyone; null if there is none, or if it has been made of the tracks. */
  readonly mixKey: string | null;
}

export interface TrackJob {
  /** The id of the track, which its upload has in place of that of a recording. */
  readonly recordingId: string;
  readonly attempt: string;
  readonly facts: TrackFacts;
}

/** Makes `attempt` the current one; null if the track has been deleted, or there is nothing to process. */
export async function beginTrack(
  manager: EntityManager,
  id: string,
  attempt: string,
): Promise<TrackFacts | null> {
  const [begun] = await sql(manager)<TrackFacts>`
    UPDATE tracks t SET attempt_id = ${attempt} FROM recordings r
    WHERE t.id = ${id} AND r.id = t.recording_id AND (t.source_key IS NOT NULL OR EXISTS (
      SELECT FROM uploads u WHERE u.recording_id = t.id AND u.closed_at IS NOT NULL AND u.status_reason IS NULL))
    RETURNING t.recording_id AS "recordingId", t.name, t.kind, t.language, t.origin, t.given_offset AS "givenOffset",
      t.source_key AS "sourceKey", r.owner_id AS "userId", r.organization_id AS "organizationId",
      r.started_at AS "startedAt", CASE WHEN NOT r.media_mixed THEN COALESCE(r.source_key, r.media_key) END AS "mixKey",
      ARRAY(SELECT key FROM upload_parts p WHERE p.recording_id = t.id ORDER BY start) AS parts,
      (SELECT media_type FROM uploads u WHERE u.recording_id = t.id) AS "mediaType",
      (SELECT user_id FROM uploads u WHERE u.recording_id = t.id) AS "sentBy"`;
  return begun ?? null;
}

export const isCurrentTrack = (manager: EntityManager, id: string, attempt: string): Promise<boolean> =>
  sql(manager).value`SELECT EXISTS (SELECT FROM tracks WHERE id = ${id} AND attempt_id = ${attempt})`;

/** Stores how much of the current attempt is done; returns whether it is current. */
export async function storeTrackProgress(
  manager: EntityManager,
  id: string,
  attempt: string,
  progress: number | null,
): Promise<boolean> {
  if (progress !== null)
    await sql(
      manager,
    )`UPDATE uploads SET progress = ${progress} WHERE recording_id = ${id} AND track_of IS NOT NULL`;
  return isCurrentTrack(manager, id, attempt);
}

/** The file of a recording as it came. */
export interface WholeFile {
  readonly keys: readonly string[];
  /** Changes with the media. */
  readonly version: string | null;
  readonly owner: JobOwner;
}

/** Undefined once the recording has been deleted. */
export async function findWhole(manager: EntityManager, recordingId: string): Promise<WholeFile | undefined> {
  const [found] = await sql(manager)<WholeFile>`
    SELECT package_key AS version, json_build_object('userId', owner_id, 'organizationId', organization_id) AS owner,
      COALESCE(
        NULLIF(ARRAY(SELECT p.key FROM upload_parts p JOIN uploads u USING (recording_id)
                     WHERE p.recording_id = r.id AND NOT u.added ORDER BY p.start), '{}'),
        array_remove(ARRAY[COALESCE(source_key, media_key)], NULL)) AS keys
    FROM recordings r WHERE id = ${recordingId}`;
  return found;
}
