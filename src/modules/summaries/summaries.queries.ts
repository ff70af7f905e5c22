import type { EntityManager } from 'typeorm';
import type { SummaryContent } from './public/summary-content.dto.js';

/** Writes a completed summary, for the first time or as its next revision. Drops an attempt that is running. */
export async function writeSummary(
  manager: EntityManager,
  recordingId: string,
  { content, topics }: SummaryContent,
  html: string | null,
): Promise<void> {
  await manager.sql`
    INSERT INTO summaries (recording_id, status, content, html, topics)
    VALUES (${recordingId}, 'completed', ${content}, ${html}, ${JSON.stringify(topics)})
    ON CONFLICT (recording_id) DO UPDATE
    SET status = excluded.status, status_reason = NULL, attempt_id = NULL, content = excluded.content,
        html = excluded.html, topics = excluded.topics, revision = summaries.revision + 1`;
}
