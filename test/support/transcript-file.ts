import type { TranscriptSegment } from '../../src/modules/transcripts/entities/transcript-chunk.entity.js';
import type { TranscriptHead } from '../../src/lib/transcript-formats/transcript-files.js';
import type { TranscriptFormat } from '../../src/lib/transcript-formats/export-formats.js';
import { writeBatch, writeTranscript } from '../../src/lib/transcript-formats/transcript-writer.js';

/** The pieces of a transcript file, generated in this thread. */
export function fileOf(
  format: TranscriptFormat,
  head: TranscriptHead,
  batches: AsyncIterable<readonly TranscriptSegment[]>,
): AsyncGenerator<string | Uint8Array> {
  return writeTranscript(format, head, batches, (batch, state) => writeBatch(format, batch, state));
}
