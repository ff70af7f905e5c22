import { SEGMENTS_PER_CHUNK } from '../../contract/limits.js';
import type { NewSegment, NewTranscript, TranscriptSegment } from './entities/transcript-chunk.entity.js';

/** A transcript as it is written to the database. */
export interface StoredTranscript {
  readonly language: string | null;
  /** Labels in the order in which they first speak. */
  readonly speakers: readonly string[];
  readonly segmentsCount: number;
  /** Seconds. */
  readonly duration: number;
  readonly batches: readonly ChunkBatch[];
}

/** Consecutive chunks that are written at once. */
export interface ChunkBatch {
  /** Index of the first one. */
  readonly from: number;
  /** JSON in UTF-8: a list of chunks, each a list of segments. */
  readonly json: Uint8Array;
}

/** Characters of JSON in a batch, or a chunk more: sending it takes a millisecond of the main thread. */
const BATCH = 256 * 1024;

/** Puts a transcript into the form in which it is stored. What takes long about it grows with the segments. */
export function toStored({ language, segments }: NewTranscript): StoredTranscript {
  const speakers = new Set<string>();
  let duration = 0;
  for (const { speaker, end } of segments) {
    if (speaker !== '') speakers.add(speaker);
    duration = Math.max(duration, end);
  }
  const batches = batchesOf(segments);
  return { language, speakers: [...speakers], segmentsCount: segments.length, duration, batches };
}

function batchesOf(segments: readonly NewSegment[]): ChunkBatch[] {
  const batches: ChunkBatch[] = [];
  const encoder = new TextEncoder();
  let [from, length, chunks]: [number, number, string[]] = [0, 0, []];
  for (let first = 0; first < segments.length; first += SEGMENTS_PER_CHUNK) {
    const chunk = JSON.stringify(
      segments
        .slice(first, first + SEGMENTS_PER_CHUNK)
        .map((segment, index) => numbered(segment, first + index)),
    );
    chunks.push(chunk);
    length += chunk.length;
    if (length < BATCH && first + SEGMENTS_PER_CHUNK < segments.length) continue;
    batches.push({ from, json: encoder.encode(`[${chunks.join(',')}]`) });
    [from, length, chunks] = [from + chunks.length, 0, []];
  }
  return batches;
}

/** Exactly these fields: what is stored is what is sent. */
function numbered({ start, end, text, speaker, confidence }: NewSegment, id: number): TranscriptSegment {
  return { id, start, end, text, speaker, confidence };
}
