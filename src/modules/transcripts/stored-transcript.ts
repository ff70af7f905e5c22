import { LIMITS, SEGMENTS_PER_CHUNK } from '../../contract/limits.js';
import { noiseIn } from '../../lib/language/noise.js';
import { oneLine } from '../../lib/text.js';
import { countSpeakers, type SpeakerStatistics } from '../../lib/transcript-formats/speaker-statistics.js';
import type { SegmentsHead } from './entities/transcript.entity.js';
import type { NewTranscript } from './entities/transcript-chunk.entity.js';
import type { Segment, TranscriptSegment } from '../../lib/transcript-formats/transcript.js';

export interface StoredTranscript extends SegmentsHead {
  readonly language: string | null;
  readonly confidenceKnown: boolean;
  readonly statistics: readonly SpeakerStatistics[];
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
export function toStored({ language, segments: given, confidenceKnown }: NewTranscript): StoredTranscript {
  const segments = given.map((segment) => ({
    ...segment,
    speaker: oneLine(segment.speaker, LIMITS.speaker.max),
  }));
  return {
    language,
    // Files without confidences are read as if they were 1.
    confidenceKnown: confidenceKnown ?? segments.some(({ confidence }) => confidence < 1),
    ...headOfSegments(segments),
    statistics: countSpeakers(segments),
    batches: batchesOf(segments),
  };
}

export function headOfSegments(segments: readonly Segment[]): SegmentsHead {
  const speakers = new Set<string>();
  let duration = 0;
  for (const { speaker, end } of segments) {
    if (speaker !== '') speakers.add(speaker);
    duration = Math.max(duration, end);
  }
  return { speakers: [...speakers], segmentsCount: segments.length, duration };
}

/** The chunks from index `from` on, each as JSON. */
export function* chunksOf(segments: readonly Segment[], from = 0): Generator<string, void> {
  const begin = from * SEGMENTS_PER_CHUNK;
  const noise = noiseIn(segments.slice(begin));
  for (let first = begin; first < segments.length; first += SEGMENTS_PER_CHUNK) {
    const chunk = segments.slice(first, first + SEGMENTS_PER_CHUNK);
    yield JSON.stringify(
      chunk.map((segment, index) => numbered(segment, first + index, noise[first + index - begin]!)),
    );
  }
}

function batchesOf(segments: readonly Segment[]): ChunkBatch[] {
  const batches: ChunkBatch[] = [];
  const encoder = new TextEncoder();
  let [from, length, chunks]: [number, number, string[]] = [0, 0, []];
  const end = (): void => {
    batches.push({ from, json: encoder.encode(`[${chunks.join(',')}]`) });
    [from, length, chunks] = [from + chunks.length, 0, []];
  };
  for (const chunk of chunksOf(segments)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= BATCH) end();
  }
  if (chunks.length > 0) end();
  return batches;
}

/** Exactly these fields, because stored segments are returned as they are. */
function numbered(segment: Segment, id: number, noise: boolean): TranscriptSegment {
  const { start, end, text, speaker, confidence } = segment;
  return { id, start, end, text, speaker, confidence, ...(noise && { noise }) };
}

export const chunksOfSegments = (count: number): number => Math.ceil(count / SEGMENTS_PER_CHUNK);
