import { findQuote } from './find-quote.js';

interface Spoken {
  readonly id: number;
  readonly speaker: string;
  readonly text: string;
}

/** What a quote takes from one segment, as it stands there. */
export interface QuotedWords<Segment> {
  readonly segment: Segment;
  readonly words: string;
}

/** Captions cut sentences in pieces: a quote may go on into the next segments of the same speaker, this many in all. */
const MOST_SEGMENTS = 4;
/** Characters of a quote that are looked for. */
const MOST_CHARACTERS = 1_000;

/** The segments that a quote is made of, which begins in the one at `place`; none when the words are not there. */
export function quotedSegments<Segment extends Spoken>(
  quote: string,
  segments: readonly Segment[],
  place: number,
): QuotedWords<Segment>[] {
  const turn = turnFrom(segments, place);
  const wanted = quote.slice(0, MOST_CHARACTERS);
  // A quote ends within about its own length, whatever else is said.
  const reach = 2 * MOST_CHARACTERS;
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
  const near = segments.slice(place, place + MOST_SEGMENTS);
  const other = near.findIndex(
    ({ id, speaker }, index) => speaker !== near[0]?.speaker || id !== (near[0]?.id ?? 0) + index,
  );
  return other === -1 ? near : near.slice(0, other);
}
