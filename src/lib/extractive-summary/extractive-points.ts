import { likeness, stretchAround, type Weighed } from './extractive-words.js';
import { capitalized } from './extractive-content.js';
import type { Cues } from './extractive-cues.js';

/** A sentence with the reasons to quote it. */
export interface Scored extends Weighed {
  /** Index of the sentence in the meeting. */
  readonly index: number;
  /** What was said as one would write it. */
  readonly prose: string;
  /** 0 for sentences that are never quoted. */
  readonly score: number;
  readonly isQuestion: boolean;
  /** Whether it begins with a word that refers back, and says little on its own. */
  readonly isLeaning: boolean;
  /** How well it reads on its own, from 0 to 1. */
  readonly clarity: number;
}

/** Content words; fewer say too little, more are hard to read. */
const MIN_WORDS = 3;
const MAX_WORDS = 12;

/** Scores sentences by information, readability and kind. */
export const scoreAll = (said: readonly Weighed[], cues: Cues): Scored[] =>
  said.map((one, index) => {
    const { text } = one.sentence;
    const isQuestion = /[?？]$/u.test(text);
    const isLeaning = cues.vagueStart.test(text);
    const clarity = clarityOf(one, cues);
    const score = isTalk(one, cues) ? 0 : (Math.min(one.vector.size, MAX_WORDS) / MAX_WORDS) * clarity;
    return { ...one, index, prose: readable(text, cues), isQuestion, isLeaning, clarity, score };
  });

function isTalk({ sentence: { text }, vector }: Weighed, { smallTalk, handover }: Cues): boolean {
  const { size } = vector;
  return size < MIN_WORDS || (size < 18 && smallTalk.test(text)) || (size < 9 && handover.test(text));
}

function clarityOf({ sentence, words }: Weighed, { hesitation, wholeSentence }: Cues): number {
  const { text, isWhole } = sentence;
  const hesitations = text.match(hesitation)?.length ?? 0;
  const commas = (text.match(/[,，、]/gu)?.length ?? 0) / Math.max(words.length, 1);
  const fluency = Math.max(0.5, 1 - 3 * Math.max(commas - 0.1, 0)) * 0.85 ** hesitations;
  return (isWhole ? 1 : 0.6) * (wholeSentence.test(text) ? 1 : 0.5) * fluency;
}

/** What was said as one would write it, for readers: without fillers, stutters and false starts, else word for word. */
export function readable(text: string, { untidy, closed }: Cues): string {
  const said = untidy
    .reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text)
    // A full stop within a sentence is a pause.
    .replace(/(?<=\p{L}{4})\.(?=\s\p{Ll})/gu, '')
    .replace(/(?<=\s)\p{Lu}\p{Ll}*(?=\s(?!\p{Lu}))/gu, (word, at: number, all: string) =>
      // Recognizers begin anew with a capital after a pause.
      closed.has(word.toLowerCase()) && !/[.?!:…"“]\s$/u.test(all.slice(0, at)) ? word.toLowerCase() : word,
    )
    .replace(/\s+/gu, ' ')
    .replace(/ (?=[,.;?!])/gu, '')
    .replace(/^[\s,;.]+/u, '');
  if (!/[\p{L}\p{N}]/u.test(said)) return text;
  return capitalized(said);
}

/** A key point with details from its context. */
export interface Point {
  readonly of: Scored;
  readonly details: readonly Scored[];
}

/** A sentence that may be a point. */
interface Candidate {
  readonly start: number;
  /** How probable it is that people note something here. */
  readonly chance: number;
  /** How well it reads as a point; 0 if it cannot be one. */
  readonly worth: number;
}

/** Key points grow with the square root of the minutes: nobody reads forty points of a long meeting. */
const POINTS = 4.2;
/** Fewest for each topic, on average. */
const MIN_POINTS = 3;
const MAX_POINTS = 50;
/** Worth of a sentence that cannot be understood on its own, or of a question, beside one that can. */
const LEANING = 0.3;
const QUESTION = 0.5;
/** Seconds within which a point stands for what is noted, and sentences on either side, however short they are. */
const NEAR = { seconds: 50, sentences: 60 };
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
  const candidates = said.map(({ sentence: { start }, score, isLeaning, isQuestion }, index) => {
    const worth = Math.sqrt(score) * (isLeaning ? LEANING : 1) * (isQuestion ? QUESTION : 1);
    return { start, chance: chances[index]!, worth };
  });
  const count = Math.min(Math.max(Math.round(POINTS * Math.sqrt(minutes)), MIN_POINTS * topics), MAX_POINTS);
  return cover(candidates, count)
    .sort((one, other) => one - other)
    .map((index) => said[index]!);
}

/**
 * Picks at most `count` sentences so that as much as possible of what people probably note has one nearby, the better
 * ones first. What is near a pick counts less for the next, so picks spread. Takes linear time for each pick.
 */
export function cover(all: readonly Candidate[], count: number): number[] {
  const covered = all.map(() => 0);
  const gainOf = (index: number): number => {
    const one = all[index]!;
    if (one.worth === 0) return 0;
    let sum = 0;
    const [from, to] = around(all, index);
    for (let at = from; at < to; at += 1)
      sum += all[at]!.chance * Math.max(closeness(all[at]!, one) - covered[at]!, 0);
    return sum * one.worth;
  };
  const gains = all.map((_, index) => gainOf(index));
  const picked: number[] = [];
  while (picked.length < count) {
    const best = gains.reduce((one, gain, index) => (gain > (gains[one] ?? 0) ? index : one), -1);
    if (best < 0) break;
    picked.push(best);
    const [from, to] = around(all, best);
    for (let at = from; at < to; at += 1)
      covered[at] = Math.max(covered[at]!, closeness(all[at]!, all[best]!));
    for (let at = around(all, from)[0]; at < around(all, to - 1)[1]; at += 1)
      gains[at] = gains[at]! < 0 ? -1 : gainOf(at);
    gains[best] = -1;
  }
  return picked;
}

function around(all: readonly Candidate[], index: number): [number, number] {
  const isNear = (at: number): boolean =>
    at in all && Math.abs(at - index) <= NEAR.sentences && closeness(all[at]!, all[index]!) > 0;
  return stretchAround(index, isNear);
}

/** From 1 for the same moment to 0. */
const closeness = (one: Candidate, other: Candidate): number =>
  Math.max(1 - Math.abs(one.start - other.start) / NEAR.seconds, 0);

/** Adds to each point the best sentence near it by somebody else, and the best one by the same speaker. */
export function withDetails(points: readonly Scored[], topic: readonly Scored[]): Point[] {
  const used = new Set(points);
  return points.map((of) => {
    const { speaker, start } = of.sentence;
    const near = topic
      .filter((one) => !used.has(one) && one.score > 0 && Math.abs(one.sentence.start - start) <= FARTHEST)
      .map((one) => ({ ...one, one, worth: one.score * (UNLIKE + likeness(one, of)) }))
      .sort((first, second) => second.worth - first.worth);
    const other = near.find(({ sentence }) => sentence.speaker !== speaker);
    const own = near.find(
      ({ sentence, score }) => sentence.speaker === speaker && score > LEAST_SHARE * of.score,
    );
    const details = [other, own]
      .flatMap((found) => found?.one ?? [])
      .sort((first, second) => first.index - second.index);
    for (const detail of details) used.add(detail);
    return { of, details };
  });
}
