import { IsNull, Not, type EntityManager, type FindOptionsWhere } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';
import { Track } from '../entities/track.entity.js';

/** A track that is heard. */
export type HeardTrack = Track & { readonly sourceKey: string };

/** In the order in which they were added. */
const findInOrder = (manager: EntityManager, where: FindOptionsWhere<Track>): Promise<Track[]> =>
  manager.find(Track, { where, order: { createdAt: 'ASC', id: 'ASC' } });

/** The processed tracks of a recording. */
export const findPlayedTracks = (manager: EntityManager, recordingId: string): Promise<Track[]> =>
  findInOrder(manager, { recordingId, packageKey: Not(IsNull()) });

/** Those with sound, and with files of their own. */
export const findHeardTracks = (manager: EntityManager, recordingId: string): Promise<HeardTrack[]> =>
  findInOrder(manager, { recordingId, audioPlaylist: Not(IsNull()), origin: Not('media') }) as Promise<
    HeardTrack[]
  >;

/** What is to be done with the tracks of a recording; null while any is on its way, or its only media is. */
export async function findNextUse(
  manager: EntityManager,
  recordingId: string,
): Promise<'mix' | 'transcribe' | null> {
  return sql(manager).value`
    SELECT CASE WHEN EXISTS (SELECT FROM uploads u WHERE u.track_of = r.id AND u.status_reason IS NULL) THEN NULL
      WHEN r.media_mixed THEN 'mix' WHEN r.media_key IS NOT NULL THEN 'transcribe'
      WHEN EXISTS (SELECT FROM uploads u WHERE u.recording_id = r.id AND u.status_reason IS NULL) THEN NULL
      ELSE 'mix' END AS next
    FROM recordings r WHERE r.id = ${recordingId}`;
}

/** Returns the names of all tracks of a recording, in whatever status, and how many bytes they take. */
export const findTrackNames = (
  manager: EntityManager,
  recordingId: string,
): Promise<{ readonly names: readonly string[]; readonly bytes: number }> => sql(manager).row`
  SELECT COALESCE(array_agg(name), '{}') AS names, COALESCE(sum(stored_bytes), 0)::float8 AS bytes FROM tracks
  WHERE recording_id = ${recordingId}::uuid`;
