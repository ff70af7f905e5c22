import { SEGMENTS_PER_CHUNK } from '../../platform/limits.js';
import type { TranscriptSegment } from './entities/transcript-chunk.entity.js';
import type { TranscriptHead } from './transcript-files.js';

/** JSON as a page of the transcript has it, but with all segments. */
export async function* writeJson(
  { language, speakers, duration, revision }: TranscriptHead,
  batches: AsyncIterable<readonly TranscriptSegment[]>,
): AsyncGenerator<string> {
  const head = { status: 'completed', statusReason: null, revision, language, speakers, duration };
  yield `{"data":${JSON.stringify(head).slice(0, -1)},"segments":[`;
  let count = 0;
  for await (const batch of batches) {
    const piece = batch.map((segment) => `\n${JSON.stringify(membersOf(segment))}`).join(',');
    if (piece !== '') yield count > 0 ? `,${piece}` : piece;
    count += batch.length;
  }
  const pagination = { total_chunks: Math.ceil(count / SEGMENTS_PER_CHUNK), has_more: false };
  yield `\n],"pagination":${JSON.stringify(pagination)}}}\n`;
}

function membersOf({ id, start, end, text, speaker, confidence }: TranscriptSegment) {
  return { id, start, end, text, speaker, confidence };
}
