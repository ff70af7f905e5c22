import { LIMITS } from '../../../../contract/limits.js';
import type { SpokenSegment } from '../../../../lib/transcript-formats/transcript.js';
import { CHAT_LIMITS } from './chat-checks.js';
import type { Finding } from './chat-findings.js';
import { plainWords } from './chat-words.js';

/** Seconds between two mentions of the same item. */
const NEAR = 60;
/** The share of words in common of two items that say the same. */
const ALIKE = 2 / 3;

interface Merged {
  readonly part: number;
  readonly finding: Finding;
}

/**
 * Puts the items of consecutive parts together, in chronological order. Those of the overlap, which both parts have, and
 * those that repeat others become one.
 */
export function mergeFindings(parts: readonly (readonly Finding[])[]): Finding[] {
  const merged: Merged[] = [];
  const byText = new Map<string, number>();
  for (const [part, findings] of parts.entries()) {
    for (const finding of findings) {
      const text = `${plainWords(finding.text)}\n${finding.owner ?? ''}`;
      const known = byText.get(text) ?? merged.findIndex((one) => isSame(one, { part, finding }));
      const place = known === -1 ? merged.length : known;
      const one = merged[place];
      merged[place] = one ? { ...one, finding: joined(one.finding, finding) } : { part, finding };
      byText.set(text, place);
    }
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

function areNear(some: readonly SpokenSegment[], others: readonly SpokenSegment[]): boolean {
  return some.some(({ start }) => others.some((other) => Math.abs(start - other.start) <= NEAR));
}

function hasSameQuote(a: string, b: string): boolean {
  return a !== '' && b !== '' && (a.includes(b) || b.includes(a));
}

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
