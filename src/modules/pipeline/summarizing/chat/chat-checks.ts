import { quotedSegments } from '../../../../lib/language/quoted-segments.js';
import { replyText } from '../../../../platform/models/reply-text.js';
import type { MergeReply } from './chat-reply.js';
import type { SpokenSegment } from '../../../../lib/transcript-formats/transcript.js';

/** A reply cut to its limits, in which every cited segment was given and every quote occurs in the transcript. */
export interface CheckedSummary {
  readonly overview: readonly string[];
  readonly topics: readonly { readonly title: string; readonly points: readonly CheckedPoint[] }[];
}

export interface CheckedPoint {
  readonly text: string;
  /** The segments that it cites, in chronological order; empty if the reply cited none that exists. */
  readonly segments: readonly SpokenSegment[];
  readonly quotes: readonly CheckedQuote[];
}

export interface CheckedQuote {
  readonly segment: SpokenSegment;
  /** Verbatim from the transcript. */
  readonly text: string;
}

export const CHAT_LIMITS = {
  title: 200,
  point: 500,
  owner: 200,
  /** A detail, including speaker and time, has at most 600. */
  quote: 500,
  paragraph: 2_000,
  paragraphs: 6,
  /** Decisions, and action items, of one reply. */
  findings: 30,
  topics: 20,
  points: 12,
  quotes: 2,
  /** Most segments cited by one point, decision or action item. */
  cited: 30,
} as const;

/**
 * Drops what of overview and topics exceeds the limits, and every citation and quote that the `citable` ones of the `given` segments do not
 * support.
 */
export function checkSummary(
  reply: MergeReply,
  given: readonly SpokenSegment[],
  citable?: ReadonlySet<number>,
): CheckedSummary {
  const places = placesOf(given, citable);
  const cited = (numbers: readonly number[]) => citedSegments(numbers, given, places);
  return {
    overview: reply.overview
      .slice(0, CHAT_LIMITS.paragraphs)
      .map((text) => replyText(text, CHAT_LIMITS.paragraph))
      .filter(Boolean),
    topics: reply.topics.slice(0, CHAT_LIMITS.topics).flatMap((topic) => {
      const kept = topic.points.slice(0, CHAT_LIMITS.points).flatMap(({ point, segments, quotes }) => {
        const text = replyText(point, CHAT_LIMITS.point);
        const found = quotes
          .slice(0, CHAT_LIMITS.quotes)
          .flatMap((quote) => checkedQuote(quote, given, places) ?? []);
        return text ? [{ text, segments: cited(segments), quotes: found }] : [];
      });
      const title = replyText(topic.title, CHAT_LIMITS.title);
      return title && kept.length > 0 ? [{ title, points: kept }] : [];
    }),
  };
}

/** Positions of the segments by their ids, of all or of the `citable` ones. */
export function placesOf(
  segments: readonly SpokenSegment[],
  citable?: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  return new Map(
    segments.flatMap(({ id }, index) => (!citable || citable.has(id) ? [[id, index] as const] : [])),
  );
}

function citedSegments(
  numbers: readonly number[],
  given: readonly SpokenSegment[],
  places: ReadonlyMap<number, number>,
): SpokenSegment[] {
  return [...new Set(numbers.slice(0, CHAT_LIMITS.cited))]
    .flatMap((number) => places.get(number) ?? [])
    .sort((a, b) => a - b)
    .flatMap((place) => given[place] ?? []);
}

/** The words of the transcript that a quote matches; null if there are none. */
function checkedQuote(
  { segment, quote }: { readonly segment: number; readonly quote: string },
  given: readonly SpokenSegment[],
  places: ReadonlyMap<number, number>,
): CheckedQuote | null {
  const place = places.get(segment);
  const found = place === undefined ? [] : quotedSegments(quote, given, place);
  const [first] = found;
  if (!first) return null;
  const words = found.map((one) => one.words).join(' ');
  return { segment: first.segment, text: replyText(words, CHAT_LIMITS.quote) };
}

/** Ids of all segments that the topics of the summaries cite. */
export function citedIn(summaries: readonly CheckedSummary[]): Set<number> {
  return new Set(
    summaries
      .flatMap(({ topics }) => topics.flatMap(({ points }) => points))
      .flatMap(({ segments, quotes }) => [...segments, ...quotes.map(({ segment }) => segment)])
      .map(({ id }) => id),
  );
}
