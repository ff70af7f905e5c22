import type { TranscriptSegment } from '../transcripts/entities/transcript-chunk.entity.js';
import type { CitedSegment } from './answer.js';

export type SpokenSegment = Omit<TranscriptSegment, 'confidence'>;

/** Returns the distinct stems of each text, without stop words, in the order of the texts. */
export type Lexemes = (texts: readonly string[]) => Promise<string[][]>;

/** A whole segment that matches a question. Higher scores are better; scores of different questions do not compare. */
export interface Passage extends CitedSegment {
  readonly score: number;
}

/** Weight of a word in the segment itself, in its neighbours and in theirs: answers follow their questions. */
const WINDOW = [1, 0.5, 0.25];
/** BM25: saturation of repeated words, and influence of the length of a passage. */
const [SATURATION, LENGTH_SHARE] = [1.2, 0.5];
/** Passages that score below this share of the best are dropped. */
const LEAST_SHARE = 0.3;
/** Two passages with at least this share of words in common are duplicates. */
const SAME = 0.8;
/** Weight of a segment whose speaker the question names. */
const NAMED = 1.5;
/** A segment that contains no word of the question needs this many words to count as an answer. */
const ANSWER_WORDS = 3;

/**
 * The segments that match a question best, by BM25 over each segment and its neighbours. Naming a speaker favours what
 * they said. Of duplicate passages only the best is kept. Empty if no word of the question occurs.
 */
export async function rankPassages(
  question: string,
  segments: readonly SpokenSegment[],
  lexemes: Lexemes,
  most = 8,
): Promise<Passage[]> {
  const labels = [...new Set(segments.map(({ speaker }) => speaker))];
  const [asked = [], ...others] = await lexemes([question, ...labels, ...segments.map(({ text }) => text)]);
  const names = new Map(labels.map((label, index) => [label, new Set(others[index])]));
  const words = others.slice(labels.length).map((own) => new Set(own));
  const scored = scoreSegments([...new Set(asked)], segments, words, names);
  const chosen: { place: number; score: number }[] = [];
  for (const { place, score } of scored) {
    if (chosen.length === most || score < (scored[0]?.score ?? 0) * LEAST_SHARE) break;
    const own = words[place] ?? new Set();
    if (!chosen.some((other) => overlap(own, words[other.place] ?? new Set()) >= SAME)) {
      chosen.push({ place, score });
    }
  }
  return chosen.flatMap(({ place, score }) => {
    const segment = segments[place];
    if (!segment) return [];
    const { id, start, end, speaker, text } = segment;
    return [{ id, start, end, speaker, quote: text.trim(), score }];
  });
}

/** Indexes of the matching segments, best first. */
function scoreSegments(
  asked: readonly string[],
  segments: readonly SpokenSegment[],
  words: readonly ReadonlySet<string>[],
  names: ReadonlyMap<string, ReadonlySet<string>>,
): { place: number; score: number }[] {
  const count = segments.length;
  const lengths = spread(words, ({ size }) => size);
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, count) || 1;
  const scores = new Float64Array(count);
  const [spoken, near, named] = [new Uint8Array(count), new Uint8Array(count), new Uint8Array(count)];
  for (const term of asked) {
    const isName = [...names.values()].some((name) => name.has(term));
    const weights = spread(words, (own) => (own.has(term) ? 1 : 0));
    let occurrences = 0;
    for (const [place, segment] of segments.entries()) {
      const says = words[place]?.has(term) === true;
      const isNamed = names.get(segment.speaker)?.has(term) === true;
      if (says) occurrences += 1;
      if (isNamed) named[place] = 1;
      if (!isName && says) spoken[place] = 1;
      if (!isName && (weights[place] ?? 0) > 0) near[place] = 1;
    }
    const rarity = Math.log(1 + (count - occurrences + 0.5) / (occurrences + 0.5));
    for (const [place, weight] of weights.entries()) {
      const longer = 1 - LENGTH_SHARE + (LENGTH_SHARE * (lengths[place] ?? 0)) / average;
      scores[place] = (scores[place] ?? 0) + (rarity * weight) / (weight + SATURATION * longer);
    }
  }
  const onlyNames = !spoken.includes(1);
  const matches = (place: number) => {
    const own = words[place]?.size ?? 0;
    if (onlyNames) return own > 0 && (named[place] === 1 || asked.some((term) => words[place]?.has(term)));
    return spoken[place] === 1 || (named[place] === 1 && near[place] === 1 && own >= ANSWER_WORDS);
  };
  const score = (place: number) => {
    const own = scores[place] ?? 0;
    if (named[place] === 0) return own;
    return onlyNames ? own + 1 : own * NAMED;
  };
  return segments
    .flatMap((_, place) => (matches(place) ? [{ place, score: score(place) }] : []))
    .sort((a, b) => b.score - a.score || (words[b.place]?.size ?? 0) - (words[a.place]?.size ?? 0));
}

/** The value of each segment or, if higher, the weighted value of a neighbour. */
function spread(
  words: readonly ReadonlySet<string>[],
  value: (own: ReadonlySet<string>) => number,
): Float64Array {
  const values = new Float64Array(words.length);
  for (const [place, own] of words.entries()) {
    const given = value(own);
    if (given === 0) continue;
    for (const [distance, share] of WINDOW.entries()) {
      for (const at of distance === 0 ? [place] : [place - distance, place + distance]) {
        if (at >= 0 && at < values.length) values[at] = Math.max(values[at] ?? 0, given * share);
      }
    }
  }
  return values;
}

/** Share of words in common, 0 to 1. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  const common = [...small].filter((word) => large.has(word)).length;
  return common / Math.max(1, one.size + other.size - common);
}
