import type { SpokenSegment } from '../../../../lib/transcript-formats/transcript.js';

/** Consecutive segments, up to, but without, the one at `to`. */
export interface MeetingPart {
  readonly to: number;
  readonly segments: readonly SpokenSegment[];
}

/** Parts overlap by about this many characters, two minutes of speech, but by no more than this share of a part. */
const OVERLAP = 2_000;
const OVERLAP_SHARE = 1 / 8;
/** A part ends at the best break within its last fifth. */
const EARLIEST_END = 0.8;
/** A change of speaker counts like this many seconds of silence. */
const SPEAKER_CHANGE = 2;
/** Characters that a segment adds to its text: number and line break. */
const FRAME = 8;

/**
 * Splits a meeting into parts of about `most` characters, preferably at a long pause or a change of speaker. A part
 * begins with the end of the one before, so that what is agreed on at a cut is whole in one of them.
 */
export function cutIntoParts(segments: readonly SpokenSegment[], most: number): MeetingPart[] {
  const parts: MeetingPart[] = [];
  for (let end = 0; end < segments.length;) {
    const from = overlapBefore(segments, end, Math.min(OVERLAP, most * OVERLAP_SHARE));
    const to = endOfPart(segments, from, end, most);
    parts.push({ to, segments: segments.slice(from, to) });
    end = to;
  }
  return parts;
}

/** Characters that segments take in a request. */
export const lengthOf = (segments: readonly SpokenSegment[]): number =>
  segments.reduce((sum, segment) => sum + lengthOfOne(segment), 0);

const lengthOfOne = ({ text }: SpokenSegment): number => text.length + FRAME;

/** The end of a part that contains at least the segment at `first`. */
function endOfPart(segments: readonly SpokenSegment[], from: number, first: number, most: number): number {
  let length = lengthOf(segments.slice(from, first));
  let best = first;
  let bestGap = -Infinity;
  for (let at = first; at < segments.length; at += 1) {
    if (at > first && length >= most * EARLIEST_END && gapBefore(segments, at) >= bestGap) {
      best = at;
      bestGap = gapBefore(segments, at);
    }
    length += lengthOfOne(segments[at]!);
    if (length > most && at > first) return best > first ? best : at;
  }
  return segments.length;
}

function gapBefore(segments: readonly SpokenSegment[], at: number): number {
  const [before, after] = [segments[at - 1]!, segments[at]!];
  return after.start - before.end + (before.speaker === after.speaker ? 0 : SPEAKER_CHANGE);
}

function overlapBefore(segments: readonly SpokenSegment[], at: number, most: number): number {
  let length = 0;
  let from = at;
  while (from > 0 && (length += lengthOfOne(segments[from - 1]!)) <= most) from -= 1;
  return from;
}
