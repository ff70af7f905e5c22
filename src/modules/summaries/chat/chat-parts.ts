import type { SpokenSegment } from '../summarizer.js';

/** Segments that follow one another, and what was said right before them. */
export interface MeetingPart {
  readonly before: readonly SpokenSegment[];
  readonly segments: readonly SpokenSegment[];
}

/** Characters of what was said before a part. */
const CONTEXT = 1_500;
/** A part ends within its last fifth, at the best place there. */
const EARLIEST_END = 0.8;
/** Seconds of silence that a change of speaker is worth. */
const TURN = 2;
/** Characters a segment takes beside its text: number and line. */
const FRAME = 8;

/**
 * Parts of at most `most` characters, cut between segments: at a long pause, or where somebody else begins to speak. A
 * single segment may be longer than that.
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
  return after.start - before.end + (before.speaker === after.speaker ? 0 : TURN);
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
