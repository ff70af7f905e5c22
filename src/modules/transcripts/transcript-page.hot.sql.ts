import type { DataSource } from 'typeorm';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import { LIST_SEAM } from '../../platform/http/replies/json-text.js';
import type { ExtraColumns } from '../recordings/access/public/columns.js';
import type { SpeakerSuggestion } from './public/transcript-page.dto.js';
import type { TranscriptChunk } from './entities/transcript-chunk.entity.js';
import type { TranscriptSegment } from '../../lib/transcript-formats/transcript.js';

const joined = (from: string, where: string): string => `(
  SELECT string_agg(c.segments::text, '${LIST_SEAM}' ORDER BY c.chunk_index) FROM ${from} c
  WHERE c.${where} AND c.chunk_index >= $3::bigint AND c.chunk_index < $4::bigint)`;

/**
 * Chunks `$3` up to but not including `$4`, of the transcript, or of what a running transcription has so far. Prepared
 * with the access decision: one plan per connection and one round trip instead of two, so that a page of 50 chunks,
 * whose JSON is not parsed, is as fast as a bare `node:http` server (ratio 1.02 in `docs/performance.md`).
 */
export const PAGE_CHUNKS: ExtraColumns<{
  readonly chunks: string | null;
  readonly suggestions: SpeakerSuggestion[] | null;
}> = {
  name: 'chunks',
  columns: `, CASE t.status
    WHEN 'completed' THEN ${joined('transcript_chunks', 'recording_id = r.id')}
    WHEN 'processing' THEN ${joined('transcript_draft_chunks', 'attempt_id = t.attempt_id')} END AS chunks, CASE WHEN t.status = 'completed' THEN (
      SELECT json_agg(json_build_object('speaker', v.speaker, 'name', v.suggestion,
          'confidence', round(v.suggestion_confidence::numeric, 2)) ORDER BY v.number)
      FROM transcript_voices v WHERE v.recording_id = r.id AND v.suggestion IS NOT NULL) END AS suggestions`,
};

/** Prepared: one plan per connection for the transcript of a share link, a range scan of the primary key. */
const CHUNKS = {
  completed: {
    name: 'transcript-chunks',
    text: `SELECT segments FROM transcript_chunks
           WHERE recording_id = $1 AND chunk_index >= $2 AND chunk_index < $3 ORDER BY chunk_index`,
  },
  /** What a running transcription has so far. */
  processing: {
    name: 'transcript-draft-chunks',
    text: `SELECT c.segments FROM transcripts t JOIN transcript_draft_chunks c ON c.attempt_id = t.attempt_id
           WHERE t.recording_id = $1 AND c.chunk_index >= $2 AND c.chunk_index < $3 ORDER BY c.chunk_index`,
  },
};

/** Reads the segments of `count` chunks from `startChunk`. */
export async function readSegments(
  dataSource: DataSource,
  recordingId: string,
  status: keyof typeof CHUNKS,
  startChunk: number,
  count: number,
): Promise<TranscriptSegment[]> {
  const range = [recordingId, startChunk, startChunk + count];
  const chunks = await preparedQuery<Pick<TranscriptChunk, 'segments'>>(dataSource, CHUNKS[status], range);
  return chunks.flatMap((chunk) => chunk.segments);
}
