import { SEGMENTS_PER_CHUNK } from '../../contract/limits.js';
import type { NewSegment, NewTranscript, TranscriptSegment } from './entities/transcript-chunk.entity.js';

/** A transcript in its stored form. */
export interface StoredTranscript {
  readonly language: string | null;
  /** Labels in the order in which they first speak. */
  readonly speakers: readonly string[];
  readonly segmentsCount: number;
  /** Seconds. */
  readonly duration: number;
  readonly batches: readonly ChunkBatch[];
}

/** Consecutive chunks that are written together. */
export interface ChunkBatch {
  /** Index of the first chunk. */
  readonly from: number;
  /** UTF-8 JSON: a list of chunks, each a list of segments. */
  readonly json: Uint8Array;
}

/** Characters of JSON in a batch, plus at most one chunk: sending it takes the main thread a millisecond. */
const BATCH = 256 * 1024;

/** Converts a transcript to its stored form, in time linear in the number of segments. */
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

/** Exactly these fields, because stored segments are returned as they are. */
function numbered({ start, end, text, speaker, confidence }: NewSegment, id: number): TranscriptSegment {
  return { id, start, end, text, speaker, confidence };
}
