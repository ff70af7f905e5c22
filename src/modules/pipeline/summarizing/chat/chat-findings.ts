import { replyText } from '../../../../platform/models/model-text.js';
import type { SpokenSegment } from '../../../../lib/transcript-formats/transcript.js';
import { CHAT_LIMITS } from './chat-checks.js';
import { type Evidence, plainWords } from './chat-evidence.js';
import type { PartReply } from './chat-reply.js';
import { LIMITS } from '../../../../contract/limits.js';

/**
 * The share of an item's words that must have been said near a segment that it cites, and near one that it quotes. Of
 * terse notes by people, 65 % and 70 % pass at their moment, none and 2 % at others.
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
  citable: ReadonlySet<number>,
  evidence: Evidence,
): Promise<Finding[]> {
  const positions = evidence.positionsOf(citable);
  const items = distinct(given).slice(0, CHAT_LIMITS.findings);
  const stems = await evidence.stemsOf(items.flatMap(({ text, owner, due }) => [text, owner, due]));
  return items.flatMap((item, index) => {
    const [ofText, ofOwner, ofDue] = stems.slice(3 * index) as [Stems, Stems, Stems];
    const cited = item.segments.flatMap((id) => positions.get(id) ?? []);
    const [quote] = cited
      .slice(0, QUOTED_FROM)
      .flatMap((position) => evidence.quoteAt(position, item.quote) ?? []);
    const holds = (position: number, share: number): boolean =>
      evidence.shareNear(position, ofText) >= share && evidence.hasNumbersNear(position, item.text);
    const quoted = (quote?.segments ?? [])
      .flatMap(({ id }) => positions.get(id) ?? [])
      .filter((position) => holds(position, SHARE.quoted));
    const holding = [...quoted, ...cited.filter((position) => holds(position, SHARE.cited))].sort(
      (a, b) => a - b,
    );
    if (holding.length === 0) return [];
    return [
      {
        text: item.text,
        segments: [...new Set(holding)].map((position) => evidence.segments[position]!),
        owner: ownerOf(item.owner, ofOwner, holding, evidence),
        due: dueOf(item.due, ofDue, holding, evidence),
        quote: quoted.length > 0 && quote ? plainWords(quote.text) : '',
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

/** A speaker, or a name that was said there, but no pronoun. */
function ownerOf(
  name: string,
  stems: Stems,
  positions: readonly number[],
  evidence: Evidence,
): string | null {
  const speaker = evidence.speakerOf(name);
  if (speaker !== null) return speaker;
  return stems.size > 0 && positions.some((position) => evidence.hasWordsNear(position, name)) ? name : null;
}

/** The words of the meeting in it, without what stands before them: "Friday" if "on Friday" was said and not "by Friday". */
function dueOf(due: string, stems: Stems, positions: readonly number[], evidence: Evidence): string | null {
  if (positions.some((position) => evidence.hasWordsNear(position, due))) return due;
  const words = due.split(' ');
  for (const position of positions) {
    if (evidence.shareNear(position, stems) < 1) continue;
    const from = words.findIndex((_, index) => evidence.hasWordsNear(position, words.slice(index).join(' ')));
    if (from !== -1) return words.slice(from).join(' ');
  }
  return null;
}

/** Seconds between two mentions of the same item. */
const NEAR = 60;
/** The share of words in common of two items that say the same. */
const ALIKE = 2 / 3;

interface Merged {
  readonly part: number;
  readonly finding: Finding;
}

/** Merges the items of consecutive parts in chronological order; those that repeat others become one. */
export function mergeFindings(parts: readonly (readonly Finding[])[]): Finding[] {
  const merged: Merged[] = [];
  const byText = new Map<string, number>();
  for (const [part, findings] of parts.entries())
    for (const finding of findings) {
      const text = `${plainWords(finding.text)}\n${finding.owner ?? ''}`;
      const known = byText.get(text) ?? merged.findIndex((one) => isSame(one, { part, finding }));
      const position = known === -1 ? merged.length : known;
      const one = merged[position];
      merged[position] = one ? { ...one, finding: joined(one.finding, finding) } : { part, finding };
      byText.set(text, position);
    }
  return merged
    .map(({ finding }) => finding)
    .sort((a, b) => startOf(a) - startOf(b))
    .slice(0, LIMITS.decisions);
}

function isSame(one: Merged, other: Merged): boolean {
  const [a, b] = [one.finding, other.finding];
  if (a.owner !== null && b.owner !== null && a.owner !== b.owner) return false;
  if (!areNear(a.segments, b.segments)) return false;
  // Two parts put the same words differently; one part may quote a sentence for two items.
  return likeness(a.stems, b.stems) >= ALIKE || (one.part !== other.part && hasSameQuote(a.quote, b.quote));
}

const areNear = (some: readonly SpokenSegment[], others: readonly SpokenSegment[]): boolean =>
  some.some(({ start }) => others.some((other) => Math.abs(start - other.start) <= NEAR));

const hasSameQuote = (a: string, b: string): boolean =>
  a !== '' && b !== '' && (a.includes(b) || b.includes(a));

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((stem) => b.has(stem)).length;
  return common / (a.size + b.size - common);
}

function joined(one: Finding, other: Finding): Finding {
  const segments = new Map([...one.segments, ...other.segments].map((segment) => [segment.id, segment]));
  return {
    ...one,
    segments: [...segments.values()]
      .sort((a, b) => a.start - b.start || a.id - b.id)
      .slice(0, CHAT_LIMITS.cited),
    owner: one.owner ?? other.owner,
    due: one.due ?? other.due,
    quote: one.quote || other.quote,
  };
}

const startOf = ({ segments }: Finding): number => segments[0]!.start;
