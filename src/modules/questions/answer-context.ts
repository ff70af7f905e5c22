import type { Passage, SpokenSegment } from './passages.js';

/** Characters of a transcript that a chat server is given to answer from: six thousand tokens or so. */
const MOST_CHARACTERS = 24_000;
/** Segments before and after a passage that go with it. */
const AROUND = 4;
/** Characters a segment takes beside its text. */
const FRAME = 20;

/**
 * What a question is answered from, in order of time: the whole transcript where it is short, else the passages, the
 * best first, each with what was said around it, as far as there is room.
 */
export function answerContext(
  segments: readonly SpokenSegment[],
  passages: readonly Passage[],
  most = MOST_CHARACTERS,
): SpokenSegment[] {
  if (segments.reduce((sum, { text }) => sum + text.length + FRAME, 0) <= most) return [...segments];
  const places = new Map(segments.map(({ id }, place) => [id, place]));
  const chosen = new Set<number>();
  let room = most;
  for (const { id } of passages) {
    const place = places.get(id);
    if (place === undefined) continue;
    const added = neighbours(place, segments.length).filter((at) => !chosen.has(at));
    room -= added.reduce((sum, at) => sum + (segments[at]?.text.length ?? 0) + FRAME, 0);
    if (room < 0 && chosen.size > 0) break;
    for (const at of added) chosen.add(at);
  }
  return segments.filter((_, place) => chosen.has(place));
}

function neighbours(place: number, count: number): number[] {
  const from = Math.max(0, place - AROUND);
  const to = Math.min(count, place + AROUND + 1);
  return Array.from({ length: to - from }, (_, index) => from + index);
}
