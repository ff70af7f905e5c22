/**
 * Every object that rows refer to, in three columns: its key, its bytes and its SHA-256 in hexadecimal, each null if the
 * row does not say. A key that ends with `/` stands for all objects below it, at least one; these come last.
 */
export const OBJECT_REFERENCES = `
  SELECT key, size, sha256 FROM (
    SELECT media_key AS key, NULL::bigint AS size, media_sha256 AS sha256 FROM recordings
    UNION ALL SELECT source_key, NULL, source_sha256 FROM recordings
    UNION ALL SELECT package_key || '/', NULL, NULL FROM recordings
    UNION ALL SELECT media_key, NULL, media_sha256 FROM retired_media
    UNION ALL SELECT source_key, NULL, source_sha256 FROM retired_media
    UNION ALL SELECT package_key || '/', NULL, NULL FROM retired_media
    UNION ALL SELECT key, size, NULL FROM upload_parts
  ) AS named WHERE key IS NOT NULL ORDER BY key LIKE '%/', key`;
