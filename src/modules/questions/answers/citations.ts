import { quotedSegments } from '../../../lib/language/quoted-segments.js';
import type { Citation } from '../public/answer.response.dto.js';
import type { SpokenSegment } from '../../../lib/transcript-formats/transcript.js';

/** A citation as the chat server claims it. */
export interface ClaimedCitation {
  readonly segment_id: number;
  readonly quote: string;
}

const MAX_CLAIMS = 20;
const MAX_CITATIONS = 12;

/**
 * Keeps the citations that are true: the quote must begin in the given segment they name. A quote that continues into
 * the next segments of the same speaker becomes one citation per segment. Quotes are returned as the transcript has
 * them.
 */
export function checkCitations(
  claims: readonly ClaimedCitation[],
  given: readonly SpokenSegment[],
): Citation[] {
  const places = new Map(given.map(({ id }, place) => [id, place]));
  const held = new Map<string, Citation>();
  for (const { segment_id: id, quote } of claims.slice(0, MAX_CLAIMS)) {
    const place = places.get(id);
    if (place === undefined) continue;
    for (const { segment, words } of quotedSegments(quote, given, place)) {
      const { start, end, speaker } = segment;
      held.set(`${segment.id} ${words}`, { id: segment.id, start, end, speaker, quote: words });
    }
  }
  return [...held.values()].slice(0, MAX_CITATIONS);
}
