import type { EntityManager } from 'typeorm';
import type { ContentJob, ContentTable } from './public/content.js';
import { sql } from '../../platform/database/sql.js';

/** What the row of a recording that has none yet contains beside its status and the attempt. */
const EMPTY: Readonly<Record<ContentTable, { readonly columns: string; readonly values: string }>> = {
  transcripts: { columns: ', speakers, segments_count, duration', values: `, '{}', 0, 0` },
  summaries: { columns: '', values: '' },
};

/** Whether earlier content exists, which a failed attempt leaves untouched. */
const HAS_CONTENT: Readonly<Record<ContentTable, string>> = {
  transcripts: 'segments_count > 0',
  summaries: `content IS NOT NULL OR topics::text <> '[]' OR decisions::text <> '[]'
    OR EXISTS (SELECT FROM action_items a WHERE a.recording_id = summaries.recording_id)`,
};

export async function lockRecording(manager: EntityManager, recordingId: string): Promise<void> {
  await sql(manager)`
    SELECT id FROM recordings WHERE id = ${recordingId} FOR NO KEY UPDATE`;
}

/** Locks the row in the same way. Returns false if the recording has been deleted. */
export async function noteChange(manager: EntityManager, recordingId: string, now: Date): Promise<boolean> {
  const found = await sql(manager).count`
    UPDATE recordings SET updated_at = ${now} WHERE id = ${recordingId}`;
  return found > 0;
}

/** Makes an attempt the current one, unless one is in progress or, for the `first`, the recording has a row. */
export async function beginAttempt(
  manager: EntityManager,
  table: ContentTable,
  { recordingId, attempt }: Pick<ContentJob, 'recordingId' | 'attempt'>,
  first: boolean,
): Promise<boolean> {
  const { columns, values } = EMPTY[table];
  const begun = await sql(manager)<unknown>`
    INSERT INTO ${() => table} (recording_id, status, attempt_id${() => columns})
    VALUES (${recordingId}, 'processing', ${attempt}${() => values})
    ON CONFLICT (recording_id) DO UPDATE
    SET status = 'processing', status_reason = NULL, attempt_id = excluded.attempt_id, revision = ${() => table}.revision + 1
    WHERE ${() => table}.status <> 'processing' AND NOT ${first}
    RETURNING revision`;
  return begun.length > 0;
}

/** Notes that the current attempt listens to a meeting in progress. */
export async function markLive(manager: EntityManager, recordingId: string): Promise<void> {
  await sql(manager)`
    UPDATE transcripts SET live = true WHERE recording_id = ${recordingId}`;
}

/** Lets an attempt at the whole recording continue the draft of a live one. Returns whether there was one. */
export async function handOverLive(
  manager: EntityManager,
  { recordingId, attempt }: Pick<ContentJob, 'recordingId' | 'attempt'>,
): Promise<boolean> {
  const continued = await sql(manager).count`
    UPDATE transcripts SET attempt_id = ${attempt} WHERE recording_id = ${recordingId} AND live`;
  return continued > 0;
}

/** Removes what was heard of bytes that are discarded. */
export async function dropLive(manager: EntityManager, recordingId: string): Promise<void> {
  await sql(manager)`DELETE FROM transcripts WHERE recording_id = ${recordingId} AND live`;
}

/** Removes the transcript, with its revisions and drafts. */
export async function dropTranscript(manager: EntityManager, recordingId: string): Promise<void> {
  await sql(manager)`DELETE FROM transcripts WHERE recording_id = ${recordingId}`;
}

/**
 * Makes an attempt at the transcript of new media the current one, and returns whether it is: if the old media was
 * being transcribed, or is to be and its transcript has failed or has not been edited. The row of the recording must be
 * locked.
 */
export async function restartTranscript(
  manager: EntityManager,
  recordingId: string,
  attempt: string,
): Promise<boolean> {
  const restarted = await sql(manager).count`
    UPDATE transcripts t
    SET status = 'processing', status_reason = NULL, attempt_id = ${attempt}, revision = t.revision + 1
    FROM recordings r
    WHERE t.recording_id = ${recordingId} AND r.id = ${recordingId}
      AND (t.status = 'processing' OR r.auto_transcribe AND (t.status = 'failed' OR t.generated))`;
  return restarted > 0;
}

export async function isCurrentAttempt(
  manager: EntityManager,
  table: ContentTable,
  { recordingId, attempt }: ContentJob,
): Promise<boolean> {
  const found = await sql(manager)<unknown>`
    SELECT revision FROM ${() => table}
    WHERE recording_id = ${recordingId} AND attempt_id = ${attempt} AND status = 'processing'`;
  return found.length > 0;
}

/** Ends the attempt in progress; with `attempt`, only if it is that one. Returns whether there was one. */
export async function failAttempt(
  manager: EntityManager,
  table: ContentTable,
  { recordingId, attempt = null }: { readonly recordingId: string; readonly attempt?: string | null },
  reason: string,
): Promise<boolean> {
  const failed = await sql(manager).count`
    UPDATE ${() => table}
    SET status = CASE WHEN ${() => HAS_CONTENT[table]} THEN 'completed' ELSE 'failed' END,
        status_reason = ${reason}, attempt_id = NULL, revision = revision + 1
    WHERE recording_id = ${recordingId} AND status = 'processing'
      AND (${attempt}::uuid IS NULL OR attempt_id = ${attempt})`;
  return failed > 0;
}

export async function isToBeTranscribed(manager: EntityManager, recordingId: string): Promise<boolean> {
  const found = await sql(manager)<unknown>`
    SELECT FROM recordings WHERE id = ${recordingId} AND auto_transcribe`;
  return found.length > 0;
}
