import type { Weighed } from './extractive-words.js';
import type { Cues } from './extractive-cues.js';
import type { Explicit } from './explicit-resolutions.js';
import { MOMENT_CUES } from './moment-cues.js';

/** A logistic model of the moments of a meeting, with a weight for each column of `rowsOf`. */
export interface Model {
  readonly bias: number;
  readonly weights: readonly number[];
}

/** A model by which few moments are picked. */
interface Picking extends Model {
  /** Picks of a meeting. */
  readonly most: number;
  /** Seconds within which two moments are about the same. */
  readonly apart: number;
  /** How much more each further pick of a meeting needs. */
  readonly further: number;
  /** From what a pick scores to how probable it is that people note it; logistic. */
  readonly confidence: { readonly bias: number; readonly slope: number };
  /** The least confidence with which something is offered. */
  readonly least: number;
}

/** What was learned from meetings that people took notes of; `npm run bench -- summaries` says how well it works. */
export interface Learned {
  /** `YYYY-MM-DD` */
  readonly fitted: string;
  readonly meetings: number;
  readonly points: Model;
  readonly decisions: Picking;
  readonly actionItems: Picking;
}

/** What each model gives to each moment, as log-odds. */
export type Scores = Readonly<Record<'points' | 'decisions' | 'actionItems', readonly number[]>>;

export function scoresOf(said: readonly Weighed[], moments: Moments, learned: Learned): Scores {
  const scores: Record<keyof Scores, number[]> = { points: [], decisions: [], actionItems: [] };
  for (const row of rowsOf(said, moments))
    for (const name of ['points', 'decisions', 'actionItems'] as const) {
      const { bias, weights } = learned[name];
      scores[name].push(weights.reduce((sum, weight, at) => sum + weight * row[at]!, bias));
    }
  return scores;
}

export const logistic = (value: number): number => 1 / (1 + Math.exp(-value));

export const confidenceOf = (score: number, { confidence }: Pick<Picking, 'confidence'>): number =>
  logistic(confidence.bias + confidence.slope * score);

/** The moments with the highest scores that are far enough apart, the best first; `index` is that of the sentence. */
export function pick(
  starts: readonly number[],
  scores: readonly number[],
  model: Omit<Picking, keyof Model>,
): { readonly index: number; readonly confidence: number }[] {
  const picks: { index: number; confidence: number }[] = [];
  for (const index of [...scores.keys()].sort((one, other) => scores[other]! - scores[one]!)) {
    const confidence = confidenceOf(scores[index]! - model.further * picks.length, model);
    if (picks.length === model.most || confidence < model.least) break;
    if (picks.every((other) => Math.abs(starts[other.index]! - starts[index]!) > model.apart))
      picks.push({ index, confidence });
  }
  return picks;
}

/** Seconds on either side within which sentences count, those farther away less; their form counts again close by. */
const AROUND = 90;
const NEAR = 30;
/** Seconds of silence before a sentence that count in full. */
const LONG_SILENCE = 8;
/** Characters of a sentence that count as 1. */
const LENGTH = 100;
const MOST_NAMES = 3;
/** Seconds that the opening and the end of a meeting last. */
const OPENING = 120;
const ENDING = 600;

/** Columns of what is said: the cues, and for an explicit decision and task each whether it counts 0 or more, and more. */
const CUES = MOMENT_CUES.length + 4;
const SILENT: readonly number[] = Array.from({ length: CUES }, () => 0);

/** For each sentence, its cues as 1 or 0, the same if the chair says it, else 0, and its form. */
export type Moments = readonly (readonly number[])[];

/** What is said as the models see it. Pass null as `explicit` for meetings that are not in English, as the cues are. */
export function momentsOf(said: readonly Weighed[], talk: Cues, explicit: Explicit | null): Moments {
  const chair = chairOf(said);
  return said.map(({ sentence: { speaker, text } }, at) => {
    const cues = explicit ? cuesIn(text, [explicit.decisions[at]!, explicit.actionItems[at]!]) : SILENT;
    return [...cues, ...(speaker === chair ? cues : SILENT), ...formOf(said, at, talk)];
  });
}

/** How much the cues of a sentence add to what a model with these weights finds around it. */
export const ownWeight = (sentence: Moments[number], weights: readonly number[]): number =>
  sentence.slice(0, 2 * CUES).reduce((sum, value, column) => sum + value * weights[column]!, 0);

/** Who takes most turns. */
function chairOf(said: readonly Weighed[]): string | undefined {
  const turns = new Map<string, number>();
  said.forEach(({ sentence: { speaker } }, at) => {
    if (said[at - 1]?.sentence.speaker !== speaker) turns.set(speaker, (turns.get(speaker) ?? 0) + 1);
  });
  return [...turns].sort(([, one], [, other]) => other - one)[0]?.[0];
}

const cuesIn = (text: string, worths: readonly number[]): number[] =>
  [...MOMENT_CUES.map((cue) => cue.test(text)), ...worths.flatMap((worth) => [worth >= 0, worth > 0])].map(
    Number,
  );

/** Another speaker, the silence before, the length, names, numbers, small talk, and words that report. */
function formOf(said: readonly Weighed[], at: number, { smallTalk, report }: Cues): number[] {
  const { speaker, start, text } = said[at]!.sentence;
  const before = said[at - 1]?.sentence;
  return [
    before && before.speaker !== speaker ? 1 : 0,
    before ? Math.min(Math.max(start - before.end, 0) / LONG_SILENCE, 1) : 0,
    text.length / LENGTH,
    Math.min(text.match(/(?<=[^.!?] )\p{Lu}[\p{L}\p{N}]+/gu)?.length ?? 0, MOST_NAMES),
    /\p{N}/u.test(text) ? 1 : 0,
    smallTalk.test(text) ? 1 : 0,
    text.match(report)?.length ?? 0,
  ];
}

/** What is said around each sentence, its form close by, and its place in the meeting. Takes linear time. */
export function* rowsOf(said: readonly Weighed[], sentences: Moments): Generator<number[]> {
  const starts = said.map(({ sentence }) => sentence.start);
  const [from, to] = [starts[0] ?? 0, starts.at(-1) ?? 0];
  const forms = sentences.map((one) => one.slice(2 * CUES));
  const [wide, near] = [around(starts, sentences, AROUND), around(starts, forms, NEAR)];
  for (const start of starts) {
    const position = (start - from) / Math.max(to - from, 1);
    const [opening, ending] = [Math.exp((from - start) / OPENING), Math.exp((start - to) / ENDING)];
    yield [...wide.next().value!, ...near.next().value!, position, opening, ending];
  }
}

/**
 * For each start, the rows within `seconds` of it summed up, the closer ones with more weight. Yields the square roots of the
 * sums: the fifth cue of a kind says less than the first.
 */
function* around(starts: readonly number[], rows: Moments, seconds: number): Generator<number[]> {
  const width = rows[0]?.length ?? 0;
  // Before and after: the sums of the rows, and of the rows times their start.
  const [before, after] = [new Float64Array(2 * width), new Float64Array(2 * width)];
  const add = (sums: Float64Array, at: number, sign: 1 | -1) => {
    for (const [column, value] of rows[at]!.entries()) {
      sums[column]! += sign * value;
      sums[width + column]! += sign * value * starts[at]!;
    }
  };
  let [low, high] = [0, 0];
  for (const [at, start] of starts.entries()) {
    for (; high < starts.length && (high <= at || starts[high]! <= start + seconds); high += 1)
      add(after, high, 1);
    if (at > 0) {
      add(after, at - 1, -1);
      add(before, at - 1, 1);
    }
    for (; low < at && starts[low]! < start - seconds; low += 1) add(before, low, -1);
    yield Array.from({ length: width }, (_, column) => {
      const earlier = before[column]! * (1 - start / seconds) + before[width + column]! / seconds;
      const later = after[column]! * (1 + start / seconds) - after[width + column]! / seconds;
      return Math.sqrt(Math.max(earlier + later, 0));
    });
  }
}
