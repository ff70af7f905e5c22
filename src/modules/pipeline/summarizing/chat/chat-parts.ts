import type { SpokenSegment } from '../../../../lib/transcript-formats/transcript.js';

/** Consecutive segments, and what was said right before them. */
export interface MeetingPart {
  readonly before: readonly SpokenSegment[];
  readonly segments: readonly SpokenSegment[];
}

/** Characters of context before a part. */
const CONTEXT = 1_500;
/** A part ends at the best break within its last fifth. */
const EARLIEST_END = 0.8;
/** A change of speaker counts like this many seconds of silence. */
const SPEAKER_CHANGE = 2;
/** Characters that a segment adds to its text: number and line break. */
const FRAME = 8;

/**
 * Splits a meeting into parts of at most `most` characters, between segments, preferably at a long pause or a change of
 * speaker. A single segment may be longer.
 */
export function cutIntoParts(segments: readonly SpokenSegment[], most: number): MeetingPart[] {
  const parts: MeetingPart[] = [];
  for (let from = 0; from < segments.length;) {
    const to = endOfPart(segments, from, most);
    parts.push({ before: contextBefore(segments, from), segments: segments.slice(from, to) });
    from = to;
  }
  return parts;
}

/** Characters that segments take in a request. */
export function lengthOf(segments: readonly SpokenSegment[]): number {
  return segments.reduce((sum, { text }) => sum + text.length + FRAME, 0);
}

function endOfPart(segments: readonly SpokenSegment[], from: number, most: number): number {
  let length = 0;
  let best = from;
  let bestGap = -Infinity;
  for (let at = from; at < segments.length; at += 1) {
    const segment = segments[at]!;
    if (at > from && length >= most * EARLIEST_END && gapBefore(segments, at) >= bestGap) {
      best = at;
      bestGap = gapBefore(segments, at);
    }
    length += segment.text.length + FRAME;
    if (length > most && at > from) return best > from ? best : at;
  }
  return segments.length;
}

function gapBefore(segments: readonly SpokenSegment[], at: number): number {
  const [before, after] = [segments[at - 1]!, segments[at]!];
  return after.start - before.end + (before.speaker === after.speaker ? 0 : SPEAKER_CHANGE);
}

function contextBefore(segments: readonly SpokenSegment[], at: number): SpokenSegment[] {
  let length = 0;
  let from = at;
  while (from > 0 && length + segments[from - 1]!.text.length <= CONTEXT) {
    from -= 1;
    length += segments[from]!.text.length;
  }
  return segments.slice(from, at);
}
