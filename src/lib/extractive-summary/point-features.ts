import type { Cues } from './extractive-cues.js';
import type { Weighed } from './extractive-words.js';

/** What is known about the moment of a sentence in every language; all are standardized within the meeting. */
const FEATURES = [
  'opening',
  'handover',
  'monologue',
  'numbers',
  'returning',
  'report',
  'talk',
] as const;

/** Seconds of talk after the beginning of a sentence that say what the sentence begins. */
const AHEAD = 25;
/** Seconds before and after a long turn begins that count as its beginning. */
const BEFORE_TURN = 12;
const AFTER_TURN = 8;
/** Turns longer than this many characters are more than a remark. */
const LONG_TURN = 250;
/** Seconds after which a turn is a monologue. */
const LONG_TALK = 100;
/** Seconds of the opening, and of silence about a word until it is new again, if it then comes back this soon. */
const OPENING = 120;
const FORGOTTEN = 120;
const SOON = 60;

/** One row per sentence, in the order of `FEATURES`. Takes linear time. */
export function pointFeatures(said: readonly Weighed[], cues: Cues): number[][] {
  const starts = said.map(({ sentence }) => sentence.start);
  const ahead = (values: readonly number[], most: number) =>
    sumsWithin(starts, values, 0, AHEAD).map((sum) => Math.min(sum, most));
  const { sinceTurn, turnAhead } = turnsOf(said);
  const texts = said.map(({ sentence }) => sentence.text);
  const counts = (pattern: RegExp) => texts.map((text) => text.match(pattern)?.length ?? 0);
  const columns: Record<(typeof FEATURES)[number], number[]> = {
    opening: starts.map((start) => Math.exp((starts[0]! - start) / OPENING)),
    handover: sumsWithin(starts, turnAhead, -AFTER_TURN, BEFORE_TURN).map((sum) => Math.min(sum, 3)),
    monologue: sinceTurn.map((time) => clamped(Math.log((1 + time) / LONG_TALK), 2)),
    numbers: ahead(counts(/\p{N}+/gu), 4),
    returning: ahead(returningWords(said, starts), 6),
    report: ahead(counts(cues.report), 6),
    talk: ahead(
      texts.map((text) => (cues.smallTalk.test(text) ? 1 : 0)),
      3,
    ),
  };
  const standard = FEATURES.map((name) => standardized(columns[name]));
  return said.map((_, index) => standard.map((column) => column[index]!));
}

/** Seconds since the speaker's turn began, and at the beginning of a long turn how long it will be. */
function turnsOf(said: readonly Weighed[]): { sinceTurn: number[]; turnAhead: number[] } {
  const sinceTurn: number[] = [];
  const turnAhead = said.map(() => 0);
  let first = 0;
  let length = 0;
  said.forEach(({ sentence }, index) => {
    if (index > 0 && said[index - 1]!.sentence.speaker !== sentence.speaker) [first, length] = [index, 0];
    length += sentence.text.length;
    sinceTurn.push(Math.max(sentence.start - said[first]!.sentence.start, 0));
    turnAhead[first] = clamped(Math.log((1 + length) / LONG_TURN), 2);
  });
  return { sinceTurn, turnAhead };
}

/** How many words of each sentence were not said for two minutes, and come back within one. */
function returningWords(said: readonly Weighed[], starts: readonly number[]): number[] {
  const counts = said.map(() => 0);
  const last = new Map<string, { at: number; isNew: boolean }>();
  said.forEach(({ vector }, index) => {
    for (const stem of vector.keys()) {
      const before = last.get(stem);
      const silence = before ? starts[index]! - starts[before.at]! : Infinity;
      if (before?.isNew && silence < SOON) counts[before.at]! += 1;
      last.set(stem, { at: index, isNew: silence > FORGOTTEN });
    }
  });
  return counts;
}

/** For each sentence, the sum of the values of those that begin in `[start + from, start + to)`. */
function sumsWithin(
  starts: readonly number[],
  values: readonly number[],
  from: number,
  to: number,
): number[] {
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1)! + value);
  let [low, high] = [0, 0];
  return starts.map((start) => {
    while (low < starts.length && starts[low]! < start + from) low += 1;
    while (high < starts.length && starts[high]! < start + to) high += 1;
    return sums[Math.max(high, low)]! - sums[low]!;
  });
}

function standardized(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  // A feature that is the same everywhere says nothing.
  const deviation = variance > 1e-9 ? Math.sqrt(variance) : Infinity;
  return values.map((value) => (value - mean) / deviation);
}

function clamped(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}
