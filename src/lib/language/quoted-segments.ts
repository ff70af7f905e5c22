import { findQuote } from './find-quote.js';

interface Spoken {
  readonly id: number;
  readonly speaker: string;
  readonly text: string;
}

/** The part of a quote that is in one segment, verbatim. */
export interface QuotedWords<Segment> {
  readonly segment: Segment;
  readonly words: string;
}

/** Captions split sentences: a quote may continue in the next segments of the same speaker, this many in total. */
const MAX_SEGMENTS = 4;
/** Length of the part of a quote that is searched for. */
const MAX_CHARACTERS = 1_000;

/** The segments of a quote that begins in the one at `place`; none if the words are not found there. */
export function quotedSegments<Segment extends Spoken>(
  quote: string,
  segments: readonly Segment[],
  place: number,
): QuotedWords<Segment>[] {
  const turn = turnFrom(segments, place);
  const wanted = quote.slice(0, MAX_CHARACTERS);
  // A quote ends within about its own length, however long the segments are.
  const reach = 2 * MAX_CHARACTERS;
  const found = findQuote(
    wanted,
    turn.map(({ text }, index) => (index === 0 ? text : text.slice(0, reach))),
  );
  return (found ?? []).flatMap(({ index, start, end }) => {
    const segment = turn[index];
    return segment ? [{ segment, words: segment.text.slice(start, end) }] : [];
  });
}

function turnFrom<Segment extends Spoken>(segments: readonly Segment[], place: number): Segment[] {
  const near = segments.slice(place, place + MAX_SEGMENTS);
  const other = near.findIndex(
    ({ id, speaker }, index) => speaker !== near[0]?.speaker || id !== (near[0]?.id ?? 0) + index,
  );
  return other === -1 ? near : near.slice(0, other);
}
