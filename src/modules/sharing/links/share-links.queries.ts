import type { EntityManager } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';

/** Serializes what changes the links of a recording. */
export async function lockRecording(manager: EntityManager, recordingId: string): Promise<void> {
  await manager.sql`SELECT FROM recordings WHERE id = ${recordingId} FOR NO KEY UPDATE`;
}

/** Deletes the links of a recording that ended first, until there is room for another, or none has ended. */
export async function makeRoom(manager: EntityManager, recordingId: string, now: Date): Promise<void> {
  await manager.sql`
    DELETE FROM share_links WHERE id IN (
      SELECT id FROM share_links l CROSS JOIN share_link_end(l) AS ended
      WHERE recording_id = ${recordingId} AND ended <= ${now} ORDER BY ended, id
      LIMIT (SELECT greatest(count(*) - ${LIMITS.shareLinks - 1}, 0) FROM share_links WHERE recording_id = ${recordingId}))`;
}
