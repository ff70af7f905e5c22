import type { EntityManager } from 'typeorm';
import { LIMITS } from '../../contract/limits.js';
import type { RevisionOrigin } from '../pipeline/public/content.js';
import type { SummaryCause } from './entities/summary-revision.entity.js';
import type { SummaryContent } from './public/summary-content.dto.js';
import { actionItemsOf } from './public/summaries.sql.js';
import type { ReadSummary } from './public/summary.response.dto.js';
import { sql } from '../../platform/database/sql.js';

/** Why and by whom a summary was written. */
export type SummaryOrigin = RevisionOrigin<SummaryCause>;

/**
 * Writes a completed summary as its next revision, without an author if the user has just been deleted. Keeps the
 * content that it replaces, and drops a running attempt. The statement does not see the revision that it adds, hence one
 * less of the others stays.
 */
export async function writeSummary(
  manager: EntityManager,
  recordingId: string,
  { content, topics, decisions }: SummaryContent,
  html: string | null,
  { cause, userId }: SummaryOrigin,
  now: Date,
): Promise<void> {
  await sql(manager)`
    WITH kept AS (
      UPDATE summary_revisions v SET content = s.content, html = s.html, topics = s.topics, decisions = s.decisions,
        action_items = ${() => actionItemsOf('s.recording_id')}
      FROM summaries s
      WHERE v.recording_id = ${recordingId} AND v.topics IS NULL AND s.recording_id = ${recordingId}
    ), written AS (
      INSERT INTO summaries (recording_id, status, content, html, topics, decisions)
      VALUES (${recordingId}, 'completed', ${content}, ${html}, ${JSON.stringify(topics)},
        ${JSON.stringify(decisions)})
      ON CONFLICT (recording_id) DO UPDATE
      SET status = excluded.status, status_reason = NULL, attempt_id = NULL, content = excluded.content,
          html = excluded.html, topics = excluded.topics, decisions = excluded.decisions, revision = summaries.revision + 1
      RETURNING recording_id, revision
    ), added AS (
      INSERT INTO summary_revisions (recording_id, revision, created_at, cause, created_by)
      SELECT recording_id, revision, ${now}::timestamptz, ${cause}::text, (SELECT id FROM users WHERE id = ${userId}::uuid FOR KEY SHARE)
      FROM written
    )
    DELETE FROM summary_revisions WHERE recording_id = ${recordingId} AND revision < (
      SELECT revision FROM summary_revisions WHERE recording_id = ${recordingId}
      ORDER BY revision DESC OFFSET ${LIMITS.revisions - 2} LIMIT 1)`;
}

/** Takes the owner from action items that one of these owns, in lower case, and returns how many there were. */
export async function disownActionItems(
  manager: EntityManager,
  recordingId: string,
  labels: readonly string[],
): Promise<number> {
  return sql(manager).count`
    UPDATE action_items SET owner = NULL WHERE recording_id = ${recordingId} AND lower(owner) = ANY (${labels}::text[])`;
}

export async function findRevisionContent(
  manager: EntityManager,
  recordingId: string,
  revision: number,
): Promise<(ReadSummary & { readonly html: string | null }) | null> {
  const [found] = await sql(manager)<ReadSummary & { readonly html: string | null }>`
    SELECT CASE WHEN v.topics IS NULL THEN s.content ELSE v.content END AS content,
      CASE WHEN v.topics IS NULL THEN s.html ELSE v.html END AS html, COALESCE(v.topics, s.topics) AS topics,
      COALESCE(CASE WHEN v.topics IS NULL THEN s.decisions ELSE v.decisions END, '[]') AS decisions,
      COALESCE(CASE WHEN v.topics IS NULL THEN ${() => actionItemsOf('s.recording_id')} ELSE v.action_items END, '[]') AS "actionItems"
    FROM summary_revisions v JOIN summaries s ON s.recording_id = v.recording_id
    WHERE v.recording_id = ${recordingId} AND v.revision = ${revision}`;
  return found ?? null;
}
