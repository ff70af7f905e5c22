import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';
import type { Track } from '../entities/track.entity.js';

/** A track that can be played; the playlists are below its `packageKey`. */
export type PlayedTrack = Pick<
  Track,
  | 'id'
  | 'name'
  | 'kind'
  | 'language'
  | 'offset'
  | 'duration'
  | 'packageKey'
  | 'audioPlaylist'
  | 'picturePlaylist'
>;

/** The processed tracks of a recording, in the order in which they were added. */
export const findPlayedTracks = (manager: EntityManager, recordingId: string): Promise<PlayedTrack[]> => sql(
  manager,
)`
  SELECT id, name, kind, language, "offset", duration, package_key AS "packageKey", audio_playlist AS "audioPlaylist",
         picture_playlist AS "picturePlaylist" FROM tracks
  WHERE recording_id = ${recordingId}::uuid AND package_key IS NOT NULL ORDER BY created_at, id`;
