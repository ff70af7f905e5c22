import { speechOf } from '../../../lib/language/noise.js';
import { type Database, sql } from '../../../platform/database/sql.js';
import type { SummarySource } from '../../../lib/extractive-summary/summary.js';
import type { SpokenSegment } from '../../../lib/transcript-formats/transcript.js';

/** Returns the speech of a recording; null if it has no transcript. */
export async function findSource(database: Database, recordingId: string): Promise<SummarySource | null> {
  const [head] = await sql(database)<Omit<SummarySource, 'segments'>>`
    SELECT r.title, t.language, t.speakers,
          ARRAY(SELECT term ->> 'term' FROM json_array_elements(g.terms) WITH ORDINALITY AS given (term, place) ORDER BY place) AS terms
        FROM recordings r JOIN transcripts t ON t.recording_id = r.id
        LEFT JOIN glossaries g ON g.organization_id = r.organization_id
        WHERE r.id = ${recordingId} AND t.status = 'completed'`;
  if (!head) return null;
  const chunks = await sql(database)<{ segments: SpokenSegment[] }>`
    SELECT segments FROM transcript_chunks WHERE recording_id = ${recordingId} ORDER BY chunk_index`;
  return { ...head, segments: speechOf(chunks.flatMap(({ segments }) => segments)) };
}
