import { replyText } from '../../../../platform/models/reply-text.js';
import type { SpokenSegment } from '../../../../lib/transcript-formats/transcript.js';
import { CHAT_LIMITS, placesOf } from './chat-checks.js';
import type { Evidence, FoundQuote } from './chat-evidence.js';
import type { PartReply } from './chat-reply.js';
import { plainWords } from './chat-words.js';

/**
 * The share of an item's words that must have been said near a segment that it cites, and near one that it quotes
 * verbatim. Of terse notes that people wrote, 65 % and 70 % pass at their moment, and none and 2 % at others.
 */
const SHARE = { cited: 0.5, quoted: 0.4 };
/** Segments in which a quote is looked for. */
const QUOTED_FROM = 10;

type Stems = ReadonlySet<string>;

export type GivenFinding = PartReply['decisions'][number] &
  Partial<Pick<PartReply['action_items'][number], 'owner' | 'due'>>;

/** A decision or an action item for which at least one citation holds. */
export interface Finding {
  readonly text: string;
  /** In chronological order. */
  readonly segments: readonly SpokenSegment[];
  readonly owner: string | null;
  readonly due: string | null;
  /** Words of the transcript; empty if its citations hold without. */
  readonly quote: string;
  readonly stems: Stems;
}

/** The items of a reply of which something can be found in the segments that they cite; the others are dropped. */
export async function checkFindings(
  given: readonly GivenFinding[],
  citable: readonly SpokenSegment[],
  evidence: Evidence,
): Promise<Finding[]> {
  const places = placesOf(evidence.segments, new Set(citable.map(({ id }) => id)));
  const items = distinct(given).slice(0, CHAT_LIMITS.findings);
  const stems = await evidence.stemsOf(items.flatMap(({ text, owner, due }) => [text, owner, due]));
  return items.flatMap((item, index) => {
    const [ofText, ofOwner, ofDue] = stems.slice(3 * index) as [Stems, Stems, Stems];
    const cited = item.segments.flatMap((id) => places.get(id) ?? []);
    const quote = findQuote(item.quote, cited, evidence);
    const holds = (place: number, share: number): boolean =>
      evidence.shareNear(place, ofText) >= share && evidence.hasNumbersNear(place, item.text);
    const quoted = (quote?.segments ?? [])
      .flatMap(({ id }) => places.get(id) ?? [])
      .filter((place) => holds(place, SHARE.quoted));
    const holding = [...quoted, ...cited.filter((place) => holds(place, SHARE.cited))].sort((a, b) => a - b);
    if (holding.length === 0) return [];
    return [
      {
        text: item.text,
        segments: [...new Set(holding)].map((place) => evidence.segments[place]!),
        owner: ownerOf(item.owner, ofOwner, holding, evidence),
        due: dueOf(item.due, ofDue, holding, evidence),
        quote: quoted.length > 0 && quote ? quote.words : '',
        stems: ofText,
      },
    ];
  });
}

/** Items cut to their limits, without those that repeat another's text and owner. */
function distinct(given: readonly GivenFinding[]): Required<GivenFinding>[] {
  const items = new Map<string, Required<GivenFinding>>();
  for (const { text, segments, quote, owner = '', due = '' } of given) {
    const said = replyText(text, CHAT_LIMITS.point);
    const name = replyText(owner, CHAT_LIMITS.owner);
    const key = `${plainWords(said)}\n${plainWords(name)}`;
    if (said === '' || items.has(key)) continue;
    items.set(key, {
      text: said,
      segments: [...new Set(segments.slice(0, CHAT_LIMITS.cited))],
      quote,
      owner: name,
      due: replyText(due, CHAT_LIMITS.owner),
    });
  }
  return [...items.values()];
}

function findQuote(quote: string, places: readonly number[], evidence: Evidence): FoundQuote | null {
  for (const place of places.slice(0, QUOTED_FROM)) {
    const found = evidence.quoteAt(place, quote);
    if (found) return found;
  }
  return null;
}

/** A speaker, or a name that was said there, but no pronoun. */
function ownerOf(name: string, stems: Stems, places: readonly number[], evidence: Evidence): string | null {
  const speaker = evidence.speakerOf(name);
  if (speaker !== null) return speaker;
  return stems.size > 0 && places.some((place) => evidence.hasWordsNear(place, name)) ? name : null;
}

/** The words of the meeting in it, without what stands before them: "Friday" if "on Friday" was said and not "by Friday". */
function dueOf(due: string, stems: Stems, places: readonly number[], evidence: Evidence): string | null {
  if (places.some((place) => evidence.hasWordsNear(place, due))) return due;
  const words = due.split(' ');
  for (const place of places) {
    if (evidence.shareNear(place, stems) < 1) continue;
    const from = words.findIndex((_, index) => evidence.hasWordsNear(place, words.slice(index).join(' ')));
    if (from !== -1) return words.slice(from).join(' ');
  }
  return null;
}
