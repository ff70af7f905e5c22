import { likeness, type Weighed } from './extractive-words.js';

/** Sentences compared on either side. */
const WINDOW = 20;
/** Sentences on either side over which the depth of a valley is measured. */
const REACH = 40;
const PAUSE_WEIGHT = 0.15;
const CUE_WEIGHT = 0.35;
const TURN_WEIGHT = 0.08;
/** Seconds; longer pauses count no more. */
const LONGEST_PAUSE = 15;
/** Minimum length of a topic, as a share of the average. */
const LEAST_SHARE = 0.4;

/**
 * Splits a meeting into topics with Hearst's TextTiling: at points where the text before and after has the fewest words
 * in common, preferably at a pause, at a change of speaker, or where someone announces another subject. Returns at most
 * `count` index ranges `[from, to)` that cover everything. Takes linear time.
 */
export function tile(said: readonly Weighed[], count: number, transition: RegExp): [number, number][] {
  const scores = borderScores(said, transition);
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

/** Returns, for each sentence, the evidence for a border before it. */
function borderScores(said: readonly Weighed[], transition: RegExp): number[] {
  const depths = depthScores(gapLikeness(said));
  return depths.map((depth, gap) => {
    if (gap === 0) return 0;
    const [before, after] = [said[gap - 1]!.sentence, said[gap]!.sentence];
    const pause = Math.min(Math.max(after.start - before.end, 0), LONGEST_PAUSE) / LONGEST_PAUSE;
    return (
      depth +
      PAUSE_WEIGHT * pause +
      (transition.test(after.text) ? CUE_WEIGHT : 0) +
      (before.speaker === after.speaker ? 0 : TURN_WEIGHT)
    );
  });
}

/** Cosine similarity of the words before and after the beginning of each sentence. */
function gapLikeness(said: readonly Weighed[]): number[] {
  return said.map((_, gap) => {
    const before = wordsOf(said.slice(Math.max(gap - WINDOW, 0), gap));
    const after = wordsOf(said.slice(gap, gap + WINDOW));
    return likeness(before, after) / (Math.sqrt(likeness(before, before) * likeness(after, after)) || 1);
  });
}

function wordsOf(said: readonly Weighed[]): Pick<Weighed, 'vector'> {
  const sums = new Map<string, number>();
  for (const { vector } of said) {
    for (const [stem, weight] of vector) sums.set(stem, (sums.get(stem) ?? 0) + weight);
  }
  return { vector: sums };
}

/** How far each value is below the nearest peaks on both sides. */
function depthScores(values: readonly number[]): number[] {
  const climb = (from: number, step: 1 | -1) => {
    let peak = values[from]!;
    for (let at = from + step, steps = 0; steps < REACH; at += step, steps += 1) {
      const value = values[at];
      if (value === undefined || value < peak - 0.1) break;
      peak = Math.max(peak, value);
    }
    return peak - values[from]!;
  };
  return values.map((_, index) => climb(index, -1) + climb(index, 1));
}
