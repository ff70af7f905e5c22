import { cover } from './coverage.js';
import type { Scored } from './extractive-scores.js';
import { likeness } from './extractive-words.js';

/** A key point with details from its context. */
export interface Point {
  readonly of: Scored;
  readonly details: readonly Scored[];
}

/** Key points grow with the square root of the minutes: nobody reads forty points of a long meeting. */
const POINTS = 4.2;
/** Fewest for each topic, on average. */
const MIN_POINTS = 3;
const MAX_POINTS = 50;
/** Worth of a sentence that cannot be understood on its own, or of a question, beside one that can. */
const LEANING = 0.3;
const QUESTION = 0.5;
/** Most seconds between a point and its details, and the worth of a detail that shares no word with it. */
const FARTHEST = 45;
const UNLIKE = 0.35;
/** What the same speaker adds has at least this share of the point's score. */
const LEAST_SHARE = 0.65;

/** The key points of a meeting, in chronological order; `chances` are those of its sentences. */
export function pickPoints(
  said: readonly Scored[],
  chances: readonly number[],
  { minutes, topics }: { minutes: number; topics: number },
): readonly Scored[] {
  const candidates = said.map((one, index) => ({
    start: one.sentence.start,
    chance: chances[index]!,
    worth: worthOf(one),
  }));
  const count = Math.min(Math.max(Math.round(POINTS * Math.sqrt(minutes)), MIN_POINTS * topics), MAX_POINTS);
  return cover(candidates, count)
    .sort((one, other) => one - other)
    .map((index) => said[index]!);
}

function worthOf({ score, isLeaning, isQuestion }: Scored): number {
  return Math.sqrt(score) * (isLeaning ? LEANING : 1) * (isQuestion ? QUESTION : 1);
}

export function withDetails(points: readonly Scored[], topic: readonly Scored[]): Point[] {
  const used = new Set(points);
  return points.map((of) => {
    const details = pickDetails(of, topic, used);
    for (const detail of details) used.add(detail);
    return { of, details };
  });
}

/** The best sentence near a point by somebody else, and the best one by the same speaker. */
function pickDetails(point: Scored, topic: readonly Scored[], used: ReadonlySet<Scored>): Scored[] {
  const { speaker, start } = point.sentence;
  const near = topic
    .filter((one) => !used.has(one) && one.score > 0 && Math.abs(one.sentence.start - start) <= FARTHEST)
    .map((one) => ({ one, worth: one.score * (UNLIKE + likeness(one, point)) }))
    .sort((first, second) => second.worth - first.worth)
    .map(({ one }) => one);
  const other = near.find(({ sentence }) => sentence.speaker !== speaker);
  const own = near.find(
    ({ sentence, score }) => sentence.speaker === speaker && score > LEAST_SHARE * point.score,
  );
  return [other, own].filter((one) => one !== undefined).sort((first, second) => first.index - second.index);
}
