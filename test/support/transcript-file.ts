import type { TranscriptSegment } from '../../src/modules/transcripts/entities/transcript-chunk.entity.js';
import type { TranscriptHead } from '../../src/modules/transcripts/files/transcript-files.js';
import type { TranscriptFormat } from '../../src/modules/transcripts/files/export-formats.js';
import { writeBatch, writeTranscript } from '../../src/modules/transcripts/files/transcript-writer.js';

/** The pieces of a transcript file, generated in this thread. */
export function fileOf(
  format: TranscriptFormat,
  head: TranscriptHead,
  batches: AsyncIterable<readonly TranscriptSegment[]>,
): AsyncGenerator<string | Uint8Array> {
  return writeTranscript(format, head, batches, (batch, state) => writeBatch(format, batch, state));
}
