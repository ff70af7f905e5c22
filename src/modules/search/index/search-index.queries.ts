import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';
import { vectorOf } from '../../../platform/database/text-search.sql.js';

/** Locks the recording until the transaction ends, as every change of its texts does. */
export async function lockRecording(manager: EntityManager, recordingId: string): Promise<void> {
  await sql(manager)`SELECT FROM recordings WHERE id = ${recordingId}::uuid FOR NO KEY UPDATE`;
}

/** The first `most` recordings after the id `after`, and whether each was changed `since` then. */
export const findNext = (
  manager: EntityManager,
  { since, after }: { readonly since: string; readonly after: string },
  most: number,
): Promise<{ id: string; isChanged: boolean }[]> =>
  sql(manager)`
    SELECT id, updated_at >= ${since}::timestamptz AS "isChanged" FROM recordings
    WHERE id > ${after}::uuid ORDER BY id LIMIT ${most}::int`;

/**
 * Removes the words of part `part` of `parts` of the vocabulary that no text of their scope has any more, and
 * duplicates.
 */
export async function sweepVocabulary(manager: EntityManager, part: number, parts: number): Promise<void> {
  await sql(manager)`
    DELETE FROM search_words w
    WHERE abs(hashtext(word)::bigint) % ${parts}::int = ${part}::int AND (
      EXISTS (SELECT FROM search_words same WHERE same.scope_id = w.scope_id AND same.word = w.word AND same.ctid < w.ctid)
      OR NOT EXISTS (
        SELECT FROM (SELECT DISTINCT config FROM search_entries e WHERE e.scope_id = w.scope_id) used
        JOIN search_entries e ON e.config = used.config AND e.scope_id = w.scope_id
          AND e.words @@ strip(${() => vectorOf('used.config', 'w.word')})::text::tsquery))`;
}
