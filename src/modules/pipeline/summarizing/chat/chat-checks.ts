import type { Evidence } from './chat-evidence.js';
import { replyText } from '../../../../platform/models/model-text.js';
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

/** Drops what exceeds the limits, and citations and quotes that the `citable` segments do not support. */
export function checkSummary(
  { overview, topics }: MergeReply,
  citable: ReadonlySet<number>,
  evidence: Evidence,
): CheckedSummary {
  const positions = evidence.positionsOf(citable);
  const pointOf = ({ point, segments, quotes }: MergeReply['topics'][number]['points'][number]) => ({
    text: replyText(point, CHAT_LIMITS.point),
    segments: [...new Set(segments.slice(0, CHAT_LIMITS.cited))]
      .flatMap((id) => positions.get(id) ?? [])
      .sort((a, b) => a - b)
      .map((position) => evidence.segments[position]!),
    quotes: quotes.slice(0, CHAT_LIMITS.quotes).flatMap(({ segment, quote }) => {
      const found = evidence.quoteAt(positions.get(segment), quote);
      return found ? [{ segment: found.segments[0], text: replyText(found.text, CHAT_LIMITS.quote) }] : [];
    }),
  });
  return {
    overview: overview
      .slice(0, CHAT_LIMITS.paragraphs)
      .map((text) => replyText(text, CHAT_LIMITS.paragraph))
      .filter(Boolean),
    topics: topics
      .slice(0, CHAT_LIMITS.topics)
      .map((topic) => ({
        title: replyText(topic.title, CHAT_LIMITS.title),
        points: topic.points
          .slice(0, CHAT_LIMITS.points)
          .map(pointOf)
          .filter(({ text }) => text),
      }))
      .filter(({ title, points }) => title && points.length > 0),
  };
}

/** Ids of all segments that the topics of the summaries cite. */
export const citedIn = (summaries: readonly CheckedSummary[]): Set<number> =>
  new Set(
    summaries
      .flatMap(({ topics }) => topics.flatMap(({ points }) => points))
      .flatMap(({ segments, quotes }) => [...segments, ...quotes.map(({ segment }) => segment)])
      .map(({ id }) => id),
  );
