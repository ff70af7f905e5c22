import type { EntityManager } from 'typeorm';
import { sql } from '../../platform/database/sql.js';

/** Takes the next number of the sequence that all processes share. */
export async function nextClaim(manager: EntityManager): Promise<number> {
  const { claim } = await sql(manager).row<{ claim: string }>`SELECT nextval('upload_turns') AS claim`;
  return Number(claim);
}

/** Returns whether somebody has written something that would be lost with the recording. */
export async function hasContent(manager: EntityManager, recordingId: string): Promise<boolean> {
  const [row] = await sql(manager)<{ found: boolean }>`
    SELECT r.notes <> '' OR EXISTS (SELECT FROM transcripts t WHERE t.recording_id = r.id AND NOT t.live)
           OR EXISTS (SELECT FROM summaries s WHERE s.recording_id = r.id) AS found
    FROM recordings r WHERE r.id = ${recordingId}`;
  return row?.found ?? false;
}
