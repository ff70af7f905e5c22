import type { MediaColumns, Recording } from '../../recordings/access/entities/recording.entity.js';

/** What is needed to serve the media of a recording. */
export type PlayableMedia = Pick<Recording, 'title' | 'mediaKey'> & MediaColumns;

/** The same as columns of a recording `r`; deliveries read them together with the access decision. */
export const PLAYABLE_COLUMNS = `r.title, r.media_key AS "mediaKey", r.media_type AS "mediaType", r.media_sha256 AS "mediaSha256",
         r.source_key AS "sourceKey", r.source_type AS "sourceType", r.source_sha256 AS "sourceSha256",
         r.package_key AS "packageKey"`;
