import type { Cues } from './extractive-cues.js';
import type { Weighed } from './extractive-words.js';
import { namedIn, type Speakers } from './owners.js';
import type { ResolutionCues } from './resolution-cues.js';

/** Indices of sentences, in order. */
export interface Explicit {
  readonly decisions: readonly number[];
  readonly actionItems: readonly number[];
}

const MOST = 8;
/** Seconds within which two sentences are about the same. */
export const SAME = 60;
/** Content words; fewer are not specific. */
const SPECIFIC = 3;

/**
 * Single sentences that explicitly decide, promise or ask for something. `least` is the worth that they need: 1 leaves out
 * those that declare no decision, ask nobody and name no date, 0 leaves out only the vague.
 */
export function explicitIn(
  said: readonly Weighed[],
  cues: ResolutionCues,
  { talk, speakers, least }: { talk: Cues; speakers: Speakers; least: number },
): Explicit {
  const specific = said.flatMap(({ vector }, index) => (vector.size >= SPECIFIC ? [index] : []));
  const textOf = (index: number): string => said[index]!.sentence.text;
  const best = (indices: readonly number[], worthOf: (text: string) => number) =>
    pick(
      said,
      indices
        .map((index) => ({ index, worth: worthOf(textOf(index)) }))
        .filter(({ worth }) => worth >= least),
    );
  const decisions = best(specific, (text) => worthOfDecision(text, cues));
  const others = specific.filter((index) => !decisions.includes(index));
  return { decisions, actionItems: best(others, (text) => worthOfTask(text, cues, { talk, speakers })) };
}

function worthOfDecision(text: string, { declared, resolved, doubted }: ResolutionCues): number {
  const declaration = declared.exec(text);
  const match = declaration ?? resolved.exec(text);
  // Doubts count before the cue, not in what follows.
  if (!match || isQuestion(text) || doubted.test(text.slice(0, match.index))) return -1;
  return declaration ? 1 : 0;
}

/** Below 0 for what is no task, or too vague. */
function worthOfTask(
  text: string,
  cues: ResolutionCues,
  { talk, speakers }: { talk: Cues; speakers: Speakers },
): number {
  const [isAsked, isNeeded] = [cues.asked.test(text), cues.needed.test(text)];
  const isNamed = cues.task.test(text) && namedIn(text, cues, speakers) !== null;
  if (!cues.promised.test(text) && !isNamed && !isAsked && !isNeeded) return -1;
  if (isQuestion(text) && !isAsked) return -1;
  const isDue = cues.due(text) !== null;
  return Number(isAsked) + Number(isDue) - Number(isNeeded) - Number(talk.smallTalk.test(text));
}

/** The best ones that are far enough apart, in chronological order. */
function pick(
  said: readonly Weighed[],
  candidates: readonly { readonly index: number; readonly worth: number }[],
): number[] {
  const ranked = candidates.toSorted((one, other) => other.worth - one.worth);
  const picked: number[] = [];
  for (const { index } of ranked) {
    if (picked.length === MOST) break;
    const { start } = said[index]!.sentence;
    if (picked.every((other) => Math.abs(said[other]!.sentence.start - start) > SAME)) picked.push(index);
  }
  return picked.sort((one, other) => one - other);
}

function isQuestion(text: string): boolean {
  return /[?？]$/u.test(text);
}
