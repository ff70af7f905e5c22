import type { TranscriptSegment } from '../entities/transcript-chunk.entity.js';
import { writeJson } from './json-writer.js';
import { writeMarkdown } from './md-writer.js';
import { writeSrt } from './captions/srt-writer.js';
import type { WrittenFormat } from './export-formats.js';
import type { TranscriptHead } from './transcript-files.js';
import { BEGINNING, type TranscriptWriter, type WritingState } from './transcript-writing.js';
import { writeText } from './txt-writer.js';
import { writeCaptions, writeVtt } from './captions/vtt-writer.js';

const WRITERS: Readonly<Record<WrittenFormat, TranscriptWriter>> = {
  captions: writeCaptions,
  vtt: writeVtt,
  srt: writeSrt,
  txt: writeText,
  md: writeMarkdown,
  json: writeJson,
};

export interface WrittenBatch {
  readonly text: string | Uint8Array;
  /** State for the next batch. */
  readonly state: WritingState;
}

/** The piece of the file for a batch of segments. */
export function writeBatch(
  format: WrittenFormat,
  segments: readonly TranscriptSegment[],
  state: WritingState,
): WrittenBatch {
  const next = { ...state };
  const text = WRITERS[format].batch(segments, next);
  return { text, state: { ...next, count: state.count + segments.length } };
}

/**
 * A transcript as a file, in pieces: requests the next batch only once the previous piece was consumed. `write` returns the
 * piece of a batch.
 */
export async function* writeTranscript<Batch>(
  format: WrittenFormat,
  head: TranscriptHead,
  batches: AsyncIterable<Batch>,
  write: (batch: Batch, state: WritingState) => Promise<WrittenBatch> | WrittenBatch,
): AsyncGenerator<string | Uint8Array> {
  const { opening, closing } = WRITERS[format];
  yield opening(head);
  let state = BEGINNING;
  for await (const batch of batches) {
    const written = await write(batch, state);
    yield written.text;
    state = written.state;
  }
  yield closing(head, state);
}
