import type { Passage } from './passages.js';
import type { Meeting } from './asked-meetings.js';
import type { SpokenSegment } from '../../../lib/transcript-formats/transcript.js';

/** Characters of transcript in a prompt: about six thousand tokens. */
const MAX_CHARACTERS = 24_000;
/** Segments of context before and after a passage. */
const AROUND = 4;
/** Characters that a segment adds to its text in the prompt. */
const FRAME = 20;

/** A segment of one of several meetings. */
export interface GivenSegment extends SpokenSegment {
  readonly recordingId: string;
  readonly title: string;
}

/**
 * The segments to answer a question from, meeting by meeting in chronological order: everything if it fits, otherwise
 * the best passages that fit, each with its context.
 */
export function answerContext(
  meetings: readonly Meeting[],
  passages: readonly Pick<Passage, 'recordingId' | 'id'>[],
  max = MAX_CHARACTERS,
): GivenSegment[] {
  const segments = meetings.flatMap(({ recordingId, title, segments: own }) =>
    own.map((segment): GivenSegment => ({ ...segment, recordingId, title })),
  );
  if (segments.reduce((sum, { text }) => sum + text.length + FRAME, 0) <= max) return segments;
  const places = new Map(segments.map(({ recordingId, id }, place) => [`${recordingId} ${id}`, place]));
  const chosen = new Set<number>();
  let room = max;
  for (const { recordingId, id } of passages) {
    const place = places.get(`${recordingId} ${id}`);
    if (place === undefined) continue;
    const added = neighbours(place, segments.length).filter(
      (at) => !chosen.has(at) && segments[at]?.recordingId === recordingId,
    );
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
