import type { Cues } from './extractive-cues.js';
import { readable } from './readable.js';
import type { Weighed } from './extractive-words.js';

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
export function scoreAll(said: readonly Weighed[], cues: Cues): Scored[] {
  return said.map((one, index) => {
    const { text } = one.sentence;
    const isQuestion = /[?？]$/u.test(text);
    const isLeaning = cues.vagueStart.test(text);
    const clarity = clarityOf(one, cues);
    const score = isTalk(one, cues) ? 0 : (Math.min(one.vector.size, MAX_WORDS) / MAX_WORDS) * clarity;
    return { ...one, index, prose: readable(text, cues), isQuestion, isLeaning, clarity, score };
  });
}

function isTalk({ sentence: { text }, vector }: Weighed, { smallTalk, handover }: Cues): boolean {
  const { size } = vector;
  return size < MIN_WORDS || (size < 18 && smallTalk.test(text)) || (size < 9 && handover.test(text));
}

function clarityOf({ sentence, words }: Weighed, { hesitation, wholeSentence }: Cues): number {
  const { text, isWhole } = sentence;
  const hesitations = text.match(hesitation)?.length ?? 0;
  const commas = (text.match(/[,，、]/gu)?.length ?? 0) / Math.max(words.length, 1);
  return (
    (isWhole ? 1 : 0.6) *
    (wholeSentence.test(text) ? 1 : 0.5) *
    Math.max(0.5, 1 - 3 * Math.max(commas - 0.1, 0)) *
    0.85 ** hesitations
  );
}
