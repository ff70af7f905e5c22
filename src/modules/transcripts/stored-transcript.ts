import { SEGMENTS_PER_CHUNK } from '../../platform/limits.js';
import type { TranscriptSegment } from './entities/transcript-chunk.entity.js';
import type { NewSegment } from './transcript-files.js';

/** A transcript as it comes in; segments are numbered in the order given. */
export interface NewTranscript {
  readonly language: string | null;
  readonly segments: readonly NewSegment[];
}

/** A transcript as it is written to the database. */
export interface StoredTranscript {
  readonly language: string | null;
  /** Labels in the order in which they first speak. */
  readonly speakers: readonly string[];
  readonly segmentsCount: number;
  /** Seconds. */
  readonly duration: number;
  /** JSON in UTF-8: a list of chunks, each a list of segments. */
  readonly chunks: Uint8Array;
}

/** Puts a transcript into the form in which it is stored. What takes long about it grows with the segments. */
export function toStored({ language, segments }: NewTranscript): StoredTranscript {
  const speakers = new Set<string>();
  const chunks: string[] = [];
  let duration = 0;
  let chunk: TranscriptSegment[] = [];
  for (const [id, { start, end, text, speaker, confidence }] of segments.entries()) {
    if (speaker !== '') speakers.add(speaker);
    duration = Math.max(duration, end);
    // Exactly these fields: what is stored is what is sent.
    chunk.push({ id, start, end, text, speaker, confidence });
    if (chunk.length === SEGMENTS_PER_CHUNK || id === segments.length - 1) {
      chunks.push(JSON.stringify(chunk));
      chunk = [];
    }
  }
  return {
    language,
    speakers: [...speakers],
    segmentsCount: segments.length,
    duration,
    chunks: new TextEncoder().encode(`[${chunks.join(',')}]`),
  };
}
