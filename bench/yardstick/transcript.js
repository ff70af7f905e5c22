import { oneRecording, readOne } from './access.js';
import { Refusal } from './refusal.js';

const SEGMENTS_PER_CHUNK = 20;
/** Separates chunks: JSON text has no control characters, so no chunk contains it. */
const BETWEEN = '\u0001';

export const TRANSCRIPT = {
  name: 'transcript',
  text: oneRecording(
    `t.status, t.status_reason, t.revision, t.language, t.confidence_known, t.speakers, t.segments_count, t.duration,
     (SELECT string_agg(c.segments::text, U&'\\0001' ORDER BY c.chunk_index) FROM transcript_chunks c
      WHERE c.recording_id = t.recording_id AND t.status = 'completed'
        AND c.chunk_index >= $3::int AND c.chunk_index < $4::int) AS chunks`,
    'LEFT JOIN transcripts t ON t.recording_id = r.id',
  ),
};

/** `GET /recordings/:id/transcript`: the segments are sent as the stored text. */
export async function getTranscript({ pool }, caller, id, query) {
  const first = Number(query.get('start_chunk') ?? 0);
  const count = Number(query.get('limit') ?? 50);
  const { row, terms } = await readOne(pool, TRANSCRIPT, id, caller, first, first + count);
  if (!terms.has('transcription')) throw new Refusal(403);
  const status = row.status ?? 'not_started';
  const total = status === 'completed' ? Math.ceil(row.segments_count / SEGMENTS_PER_CHUNK) : 0;
  const head = JSON.stringify({
    status,
    statusReason: row.status_reason,
    revision: row.revision ?? 0,
    language: row.language,
    confidenceKnown: row.confidence_known ?? false,
    speakers: row.speakers ?? [],
    duration: row.duration ?? 0,
  });
  const segments = row.chunks === null ? '[]' : row.chunks.replaceAll(`]${BETWEEN}[`, ',');
  const pagination = `{"total_chunks":${total},"has_more":${first + count < total}}`;
  return `{"data":${head.slice(0, -1)},"segments":${segments},"pagination":${pagination}}}`;
}
