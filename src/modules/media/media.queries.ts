import type { EntityManager } from 'typeorm';
import { type Sql, sql } from '../../platform/database/sql.js';
import { IS_HELD } from '../legal-holds/public/held.queries.js';
import { PLAYABLE_COLUMNS, type PlayableMedia } from './public/media-objects.js';

/** Undefined once the recording has been deleted. */
export async function findPlayableMedia(
  manager: EntityManager,
  recordingId: string,
): Promise<PlayableMedia | undefined> {
  const [media] = await sql(manager)<PlayableMedia>`
    SELECT ${() => PLAYABLE_COLUMNS} FROM recordings r WHERE r.id = ${recordingId}::uuid`;
  return media;
}

/** Finds the prefixes of the keys that rows refer to; null when the recording has been deleted. */
export async function findReferencedKeys(
  manager: EntityManager,
  recordingId: string,
): Promise<string[] | null> {
  const [row] = await sql(manager)<{ keys: (string | null)[] }>`
    SELECT ARRAY[media_key, source_key, package_key || '/']
           || ARRAY(SELECT key FROM upload_parts WHERE recording_id = r.id
                    OR recording_id IN (SELECT id FROM tracks WHERE recording_id = r.id))
           || ARRAY(SELECT unnest(ARRAY[source_key, package_key || '/']) FROM tracks WHERE recording_id = r.id)
           || ARRAY(SELECT key FROM direct_parts WHERE recording_id = r.id)
           || ARRAY(SELECT unnest(ARRAY[media_key, package_key || '/']) FROM retired_media
                    WHERE recording_id = r.id) AS keys
    FROM recordings r WHERE r.id = ${recordingId}`;
  return row ? row.keys.filter((key) => key !== null) : null;
}

/** Returns the keys of what has been uploaded of tracks that are not processed yet. */
export async function findPartsOfTracks(
  manager: EntityManager,
  trackIds: readonly string[],
): Promise<string[]> {
  const parts = await sql(manager)<{ key: string }>`
    SELECT key FROM upload_parts WHERE recording_id = ANY (${trackIds}::uuid[])`;
  return parts.map(({ key }) => key);
}

/** Whether this is the replaced media of a recording that is under legal hold. */
export const isRetiredUnderHold = (
  manager: EntityManager,
  recordingId: string,
  mediaKey: string,
): Promise<boolean> =>
  sql(manager).value`SELECT EXISTS (SELECT FROM retired_media m JOIN recordings r ON r.id = m.recording_id
    WHERE r.id = ${recordingId}::uuid AND m.media_key = ${mediaKey} AND ${IS_HELD})`;

/** Takes the media away from a recording: none belongs to it any more. */
export async function clearMedia(manager: EntityManager, recordingId: string, now: Date): Promise<void> {
  await sql(manager)`
    UPDATE recordings SET media_key = NULL, media_type = NULL, media_sha256 = NULL, source_key = NULL, source_type = NULL,
      source_sha256 = NULL, package_key = NULL, packaging_id = NULL, without_media = true, stored_bytes = 0, updated_at = ${now}
    WHERE id = ${recordingId}::uuid`;
}

/** Leaves only the converted file. */
export async function clearOriginal(manager: EntityManager, recordingId: string, now: Date): Promise<void> {
  await sql(manager)`
    UPDATE recordings SET source_key = NULL, source_type = NULL, source_sha256 = NULL, updated_at = ${now}
    WHERE id = ${recordingId}::uuid`;
}

const AT_ONCE = 200;

/** Also those in the bin. */
export const ofOrganization = (organizationId: string): Sql =>
  sql`(organization_id = ${organizationId}::uuid OR deleted_organization_id = ${organizationId}::uuid)`;

/** The personal ones of users that have been deleted, also those in the bin. */
export const OF_NOBODY = sql`owner_id IS NULL AND organization_id IS NULL
  AND deleted_owner_id IS NULL AND deleted_organization_id IS NULL`;

/** Deletes a batch of the recordings `r` that are not under legal hold, and returns their ids. */
export async function deleteSome(manager: EntityManager, recordings: Sql): Promise<string[]> {
  const rows = await sql(manager)<{ id: string }>`
    WITH batch AS (SELECT id FROM recordings r WHERE ${recordings} AND NOT ${IS_HELD}
          LIMIT ${AT_ONCE}::int FOR UPDATE),
        gone AS (DELETE FROM recordings r USING batch WHERE r.id = batch.id RETURNING r.id)
        SELECT id FROM gone`;
  return rows.map(({ id }) => id);
}
