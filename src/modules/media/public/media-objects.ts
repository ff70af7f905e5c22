import type { MediaColumns, Recording } from '../../recordings/access/entities/recording.entity.js';

/** The prefix of the keys of all objects of a recording. */
export const objectsOf = (recordingId: string): string => `recordings/${recordingId}/`;

/** The prefix of the keys of the objects of one of its tracks. */
export const objectsOfTrack = (recordingId: string, trackId: string): string =>
  `${objectsOf(recordingId)}tracks/${trackId}/`;

/** The prefix of the keys of the parts of its uploads. */
export const partsOf = (recordingId: string): string => `${objectsOf(recordingId)}parts/`;

/**
 * The version of media, from the key of one of its objects: `recordings/<recording>/<version>/...`. Every import and
 * every packaging attempt has its own.
 */
export const versionOf = (key: string): string => key.split('/')[2] ?? '';

/**
 * Every object that rows refer to, in three columns: its key, its bytes and its SHA-256 in hexadecimal, each null if the
 * row does not say, or says it of what is stored encrypted. A key that ends with `/` stands for all objects below it, at
 * least one; these come last.
 */
export const OBJECT_REFERENCES = `
  SELECT key, CASE WHEN k.sealed IS NULL THEN size END AS size, CASE WHEN k.sealed IS NULL THEN sha256 END AS sha256 FROM (
    SELECT media_key AS key, NULL::bigint AS size, media_sha256 AS sha256 FROM recordings
    UNION ALL SELECT source_key, NULL, source_sha256 FROM recordings
    UNION ALL SELECT package_key || '/', NULL, NULL FROM recordings
    UNION ALL SELECT media_key, NULL, media_sha256 FROM retired_media
    UNION ALL SELECT source_key, NULL, source_sha256 FROM retired_media
    UNION ALL SELECT package_key || '/', NULL, NULL FROM retired_media
    UNION ALL SELECT source_key, NULL, source_sha256 FROM tracks
    UNION ALL SELECT package_key || '/', NULL, NULL FROM tracks
    UNION ALL SELECT key, size, NULL FROM upload_parts
  ) AS named LEFT JOIN recording_keys k ON k.recording_id::text = split_part(key, '/', 2) WHERE key IS NOT NULL ORDER BY key LIKE '%/', key`;

/** The jobs that remove objects that rows referred to. */
export const REMOVAL_JOBS = {
  discard: 'media.discard',
  tidy: 'media.tidy',
  removeRetired: 'media.remove-retired',
} as const;

/** What is needed to serve the media of a recording. */
export type PlayableMedia = Pick<Recording, 'title' | 'mediaKey'> & MediaColumns;

/** The same as columns of a recording `r`; deliveries read them together with the access decision. */
export const PLAYABLE_COLUMNS = `r.title, r.media_key AS "mediaKey", r.media_type AS "mediaType", r.media_sha256 AS "mediaSha256",
         r.source_key AS "sourceKey", r.source_type AS "sourceType", r.source_sha256 AS "sourceSha256",
         r.package_key AS "packageKey"`;
