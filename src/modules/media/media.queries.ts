import type { EntityManager } from 'typeorm';
import { run, sql } from '../../platform/database/sql.js';
import { PLAYABLE_COLUMNS, type PlayableMedia } from './public/playable-media.js';

/** Undefined once the recording has been deleted. */
export async function findPlayableMedia(
  manager: EntityManager,
  recordingId: string,
): Promise<PlayableMedia | undefined> {
  const [media] = await run<PlayableMedia>(
    manager,
    sql`SELECT ${() => PLAYABLE_COLUMNS} FROM recordings r WHERE r.id = ${recordingId}::uuid`,
  );
  return media;
}

/** Finds the prefixes of the keys that rows refer to; null when the recording has been deleted. */
export async function findReferencedKeys(
  manager: EntityManager,
  recordingId: string,
): Promise<string[] | null> {
  const [row] = await manager.sql<{ keys: (string | null)[] }[]>`
    SELECT ARRAY[media_key, source_key, package_key || '/']
           || ARRAY(SELECT key FROM upload_parts WHERE recording_id = r.id)
           || ARRAY(SELECT unnest(ARRAY[media_key, package_key || '/']) FROM retired_media
                    WHERE recording_id = r.id) AS keys
    FROM recordings r WHERE r.id = ${recordingId}`;
  return row ? row.keys.filter((key) => key !== null) : null;
}
