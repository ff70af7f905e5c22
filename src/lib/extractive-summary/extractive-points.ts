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
const UNCLEAR = 0.5;
const LEANING = 0.5;
const QUESTION = 0.7;
const MAX_DETAILS = 2;
/** Sentences around a point that are searched for details. */
const BEFORE = 6;
const AFTER = 12;
/** Most seconds between a point and its details. */
const FARTHEST = 100;
/** A detail scores at least this share of its point's score, before similarity counts. */
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

function worthOf({ score, clarity, isLeaning, isQuestion }: Scored): number {
  if (score === 0) return 0;
  return (UNCLEAR + (1 - UNCLEAR) * clarity) * (isLeaning ? LEANING : 1) * (isQuestion ? QUESTION : 1);
}

export function withDetails(points: readonly Scored[], topic: readonly Scored[]): Point[] {
  const used = new Set(points);
  return points.map((of) => {
    const details = pickDetails(of, topic, used);
    for (const detail of details) used.add(detail);
    return { of, details };
  });
}

/** Sentences near a point that elaborate on it, one of another speaker first if there is one. */
function pickDetails(point: Scored, topic: readonly Scored[], used: ReadonlySet<Scored>): Scored[] {
  const at = topic.indexOf(point);
  const near = topic
    .slice(Math.max(at - BEFORE, 0), at + AFTER + 1)
    .filter((one) => !used.has(one) && one.score > LEAST_SHARE * point.score)
    .filter(({ sentence }) => Math.abs(sentence.start - point.sentence.start) <= FARTHEST)
    .map((one) => ({ one, worth: worthAsDetail(one, point) }))
    .sort((first, second) => second.worth - first.worth)
    .map(({ one }) => one);
  const other = near.find(({ sentence }) => sentence.speaker !== point.sentence.speaker);
  const chosen = near.slice(0, MAX_DETAILS);
  if (other && !chosen.includes(other)) chosen.splice(-1, 1, other);
  return chosen.sort((first, second) => first.index - second.index);
}

function worthAsDetail(one: Scored, point: Scored): number {
  const distance = Math.abs(one.index - point.index);
  return (
    one.score * (0.35 + likeness(one, point)) * (1 / (1 + distance / 8)) * (one.index > point.index ? 1.2 : 1)
  );
}
