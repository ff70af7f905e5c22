import type { Weighed } from './extractive-words.js';
import { rowsOf, type Moments } from './moment-features.js';

/** A logistic model of the moments of a meeting, with a weight for each column of `rowsOf`. */
export interface Model {
  readonly bias: number;
  readonly weights: readonly number[];
}

/** A model by which few moments are picked. */
export interface Picking extends Model {
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

export interface Picked {
  /** Of the sentence. */
  readonly index: number;
  readonly confidence: number;
}

export function scoresOf(said: readonly Weighed[], moments: Moments, learned: Learned): Scores {
  const scores: Record<keyof Scores, number[]> = { points: [], decisions: [], actionItems: [] };
  for (const row of rowsOf(said, moments)) {
    for (const [name, list] of Object.entries(scores)) {
      const { bias, weights } = learned[name as keyof Scores];
      list.push(weights.reduce((sum, weight, at) => sum + weight * row[at]!, bias));
    }
  }
  return scores;
}

export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

export function confidenceOf(
  score: number,
  { confidence: { bias, slope } }: Pick<Picking, 'confidence'>,
): number {
  return logistic(bias + slope * score);
}

/** The moments with the highest scores that are far enough apart, the best first. */
export function pick(
  starts: readonly number[],
  scores: readonly number[],
  model: Omit<Picking, keyof Model>,
): Picked[] {
  const ranked = scores
    .map((score, index) => ({ score, index }))
    .sort((one, other) => other.score - one.score);
  const picks: Picked[] = [];
  for (const { score, index } of ranked) {
    const confidence = confidenceOf(score - model.further * picks.length, model);
    if (picks.length === model.most || confidence < model.least) break;
    if (picks.every((other) => Math.abs(starts[other.index]! - starts[index]!) > model.apart)) {
      picks.push({ index, confidence });
    }
  }
  return picks;
}
