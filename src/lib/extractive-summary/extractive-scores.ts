import type { Cues } from './extractive-cues.js';
import type { Weighed } from './extractive-words.js';

/** A sentence with the reasons to quote it. */
export interface Scored extends Weighed {
  /** Index of the sentence in the meeting. */
  readonly index: number;
  /** 0 for sentences that are never quoted. */
  readonly score: number;
  readonly isQuestion: boolean;
  /** Whether it begins with a word that refers back, and says little on its own. */
  readonly isLeaning: boolean;
  /** How well it reads on its own, from 0 to 1. */
  readonly clarity: number;
}

/** Content words; fewer say too little, more are hard to read. */
const MIN_WORDS = 4;
const MAX_WORDS = 12;
/** Longest sentence that reads well, in characters. */
const READABLE = 220;

/** Scores sentences by rank, information, readability and kind. */
export function scoreAll(
  said: readonly Weighed[],
  ranks: readonly number[],
  cues: Cues,
  from: number,
): Scored[] {
  return said.map((one, at) => {
    const { text } = one.sentence;
    const isQuestion = /[?？]$/u.test(text);
    const isLeaning = cues.vagueStart.test(text);
    const clarity = clarityOf(one, cues);
    const score = isTalk(one, cues) ? 0 : Math.sqrt(ranks[at]!) * substance(one) * clarity;
    const kind = /\p{N}/u.test(text) ? 1.1 : 1;
    return { ...one, index: from + at, isQuestion, isLeaning, clarity, score: score * kind };
  });
}

function isTalk({ sentence: { text }, vector }: Weighed, { smallTalk, handover }: Cues): boolean {
  if (vector.size < MIN_WORDS - 1) return true;
  if (smallTalk.test(text) && vector.size < 18) return true;
  return vector.size < 9 && handover.test(text);
}

function substance({ words, vector }: Weighed): number {
  const density = vector.size / Math.max(words.length, 1);
  const names = words.filter(
    ({ text, stem }, at) => at > 0 && stem !== null && /\p{Lu}|\p{N}/u.test(text),
  ).length;
  return (
    (Math.min(vector.size, MAX_WORDS) / MAX_WORDS) *
    (0.6 + density) *
    (1 + 0.12 * Math.min(names, 5)) *
    (vector.size < MIN_WORDS ? 0.5 : 1)
  );
}

function clarityOf({ sentence, words }: Weighed, { vagueStart, hesitation }: Cues): number {
  const { text, isWhole } = sentence;
  const hesitations = text.match(hesitation)?.length ?? 0;
  const commas = (text.match(/[,，、]/gu)?.length ?? 0) / Math.max(words.length, 1);
  return (
    Math.min(1, READABLE / text.length) *
    (vagueStart.test(text) ? 0.7 : 1) *
    (isWhole ? 1 : 0.6) *
    Math.max(0.5, 1 - 3 * Math.max(commas - 0.1, 0)) *
    0.85 ** hesitations *
    0.8 ** repetitions(text)
  );
}

/** "it's it's", "we can, we can". */
function repetitions(text: string): number {
  const words = text.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];
  return words.filter(
    (word, at) =>
      word === words[at + 1] ||
      (at + 3 < words.length && word === words[at + 2] && words[at + 1] === words[at + 3]),
  ).length;
}
