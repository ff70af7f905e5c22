import { likeness, type Weighed } from './extractive-words.js';

/** Sentences compared on either side. */
const WINDOW = 20;
const CUE_WEIGHT = 0.35;
const TURN_WEIGHT = 0.08;
/** Minimum length of a topic, as a share of the average. */
const LEAST_SHARE = 0.4;

/**
 * Splits a meeting into topics after Hearst's TextTiling: at points where the text before and after has the fewest words
 * in common, preferably at a change of speaker, or where someone announces another subject. Returns at most
 * `count` index ranges `[from, to)` that cover everything. Takes linear time.
 */
export function tile(said: readonly Weighed[], count: number, transition: RegExp): [number, number][] {
  const scores = said.map(({ sentence }, gap) => {
    const isTurn = said[gap - 1]?.sentence.speaker !== sentence.speaker;
    const isCue = transition.test(sentence.text);
    return (isCue ? CUE_WEIGHT : 0) + (isTurn ? TURN_WEIGHT : 0) - likenessAt(said, gap);
  });
  const offsets = [0];
  for (const { sentence } of said) offsets.push(offsets.at(-1)! + sentence.text.length);
  const least = (LEAST_SHARE * offsets.at(-1)!) / count;
  const borders = [0, said.length];
  const order = scores.map((_, gap) => gap).sort((one, other) => scores[other]! - scores[one]!);
  for (const gap of order) {
    if (borders.length > count) break;
    if (borders.every((border) => Math.abs(offsets[border]! - offsets[gap]!) >= least)) borders.push(gap);
  }
  borders.sort((one, other) => one - other);
  return borders.slice(1).map((to, index) => [borders[index]!, to]);
}

/** Cosine similarity of the words before and after the beginning of a sentence. */
function likenessAt(said: readonly Weighed[], gap: number): number {
  const before = wordsOf(said.slice(Math.max(gap - WINDOW, 0), gap));
  const after = wordsOf(said.slice(gap, gap + WINDOW));
  return likeness(before, after) / (Math.sqrt(likeness(before, before) * likeness(after, after)) || 1);
}

function wordsOf(said: readonly Weighed[]): Pick<Weighed, 'vector'> {
  const sums = new Map<string, number>();
  for (const { vector } of said) {
    for (const [stem, weight] of vector) sums.set(stem, (sums.get(stem) ?? 0) + weight);
  }
  return { vector: sums };
}
