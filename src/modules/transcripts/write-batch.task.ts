import { handOver, type ThreadTask } from '../../platform/work/thread-task.js';
import type { TranscriptSegment } from './entities/transcript-chunk.entity.js';
import type { TranscriptFormat } from './transcript-formats.js';
import { writeBatch, type WrittenBatch } from './transcript-writer.js';
import type { WritingState } from './transcript-writing.js';

export interface BatchToWrite {
  readonly format: TranscriptFormat;
  /** Chunks as they are stored: JSON of a list of segments each. */
  readonly chunks: readonly string[];
  readonly state: WritingState;
}

export const WRITE_BATCH: ThreadTask<BatchToWrite, WrittenBatch> = { module: import.meta.url };

/** Writes a part of a transcript file. */
export default function write({ format, chunks, state }: BatchToWrite): WrittenBatch {
  const segments = chunks.flatMap((chunk) => JSON.parse(chunk) as TranscriptSegment[]);
  const written = writeBatch(format, segments, state);
  const text = Buffer.from(new TextEncoder().encode(String(written.text)).buffer);
  return handOver({ text, state: written.state }, [text]);
}
