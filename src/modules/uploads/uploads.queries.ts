import type { EntityManager } from 'typeorm';
import { sql } from '../../platform/database/sql.js';

/** Takes the next number of the sequence that all processes share. */
export async function nextClaim(manager: EntityManager): Promise<number> {
  const { claim } = await sql(manager).row<{ claim: string }>`SELECT nextval('upload_turns') AS claim`;
  return Number(claim);
}

/** Returns the recording that an upload, or the one that it would be, belongs to: that of the track, if it is one. */
export async function findRecordingOf(manager: EntityManager, uploadId: string): Promise<string> {
  return sql(manager).value`
    SELECT COALESCE((SELECT recording_id FROM tracks WHERE id = ${uploadId}::uuid), ${uploadId}::uuid) AS id`;
}

/** Returns how many recordings a user is uploading, with any number of tracks each, besides one. */
export async function countOpen(
  manager: EntityManager,
  userId: string,
  except: string | null = null,
): Promise<number> {
  return sql(manager).value`
    SELECT count(DISTINCT COALESCE(track_of, recording_id))::int FROM uploads
    WHERE user_id = ${userId} AND closed_at IS NULL AND COALESCE(track_of, recording_id) IS DISTINCT FROM ${except}::uuid`;
}

/** Returns whether somebody has written something that would be lost with the recording. */
export async function hasContent(manager: EntityManager, recordingId: string): Promise<boolean> {
  const [row] = await sql(manager)<{ found: boolean }>`
    SELECT r.notes <> '' OR EXISTS (SELECT FROM transcripts t WHERE t.recording_id = r.id AND NOT t.live)
           OR EXISTS (SELECT FROM summaries s WHERE s.recording_id = r.id) AS found
    FROM recordings r WHERE r.id = ${recordingId}`;
  return row?.found ?? false;
}

/** Deletes the rows of an upload that has become a recording, its new media, or a track. */
export async function takeUpload(
  manager: EntityManager,
  recordingId: string,
  added: boolean,
): Promise<{ readonly keys: readonly string[]; readonly sentBy: string | null }> {
  const [taken] = await sql(manager)<{ keys: string[]; sentBy: string | null }>`
    DELETE FROM uploads u WHERE recording_id = ${recordingId} AND added = ${added}
    RETURNING ARRAY(SELECT key FROM upload_parts p WHERE p.recording_id = u.recording_id
                    UNION ALL SELECT key FROM direct_parts d WHERE d.recording_id = u.recording_id) AS keys, user_id AS "sentBy"`;
  return taken ?? { keys: [], sentBy: null };
}
