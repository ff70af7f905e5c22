import { wordCount } from '../../lib/language/dense-words.js';
import type { SpokenSegment } from '../../lib/transcript-formats/transcript.js';

/** Most segments of a passage besides the one that matches. */
const [BEFORE, AFTER] = [1, 3];
/** Words after the match that are enough to understand it, and to answer it if it asks. */
const ENOUGH = 25;

const ENDS = /[.?!…。？！]["'”’)」』]*$/;

/**
 * The segment at `place` with its neighbours: captions split sentences, and answers follow what asks for them. `segments` are
 * in chronological order, with gaps in their ids where some are missing.
 */
export function withNeighbours(segments: readonly SpokenSegment[], place: number): SpokenSegment[] {
  const hit = segments[place];
  if (!hit) return [];
  const before = segments
    .slice(Math.max(0, place - BEFORE), place)
    .filter((segment) => isContinued(segment, hit));
  const passage = [...before, hit];
  let words = 0;
  for (const next of segments.slice(place + 1, place + 1 + AFTER)) {
    const last = passage.at(-1)!;
    if (next.id !== last.id + 1 || (words >= ENOUGH && !isContinued(last, next))) break;
    passage.push(next);
    words += wordCount(next.text);
  }
  return passage;
}

/** Whether the next segment continues the sentence of this one. */
function isContinued(segment: SpokenSegment, next: SpokenSegment): boolean {
  return next.id === segment.id + 1 && next.speaker === segment.speaker && !ENDS.test(segment.text.trim());
}
