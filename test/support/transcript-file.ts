import { SEGMENTS_PER_CHUNK } from '../../src/contract/limits.js';
import type { TranscriptHead, TranscriptSegment } from '../../src/lib/transcript-formats/transcript.js';
import { writeBatch, writeTranscript } from '../../src/lib/transcript-formats/transcript-writer.js';
import type { TranscriptFormat } from '../../src/lib/transcript-formats/written-formats.js';

/** The pieces of a transcript file, generated in this thread. */
export function fileOf(
  format: TranscriptFormat,
  head: Omit<TranscriptHead, 'segmentsPerPage'>,
  batches: AsyncIterable<readonly TranscriptSegment[]>,
): AsyncGenerator<string | Uint8Array> {
  const paged = { ...head, segmentsPerPage: SEGMENTS_PER_CHUNK };
  return writeTranscript(format, paged, batches, (batch, state) => writeBatch(format, batch, state));
}
