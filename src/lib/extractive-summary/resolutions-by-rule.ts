import type { Cues } from './extractive-cues.js';
import type { Weighed } from './extractive-words.js';
import { readable } from './readable.js';
import { namedIn, ownerOf, type Speakers } from './owners.js';
import type { ResolutionCues } from './resolution-cues.js';
import type { SummaryActionItem, SummaryDecision } from './summary.js';

/** A sentence that decides or promises something; worth 0 or more. */
interface Candidate {
  readonly index: number;
  readonly worth: number;
}

const MOST = 8;
/** Seconds within which two sentences are about the same. */
const SAME = 60;
/** Content words; fewer are not specific. */
const SPECIFIC = 3;

/**
 * What was agreed and what somebody is to do, in languages of which no noted meetings were at hand: single sentences that
 * say so in so many words. How probable it is that people note them is not known.
 */
export function resolutionsByRule(
  said: readonly Weighed[],
  cues: ResolutionCues,
  { talk, speakers }: { talk: Cues; speakers: Speakers },
): { decisions: SummaryDecision[]; actionItems: SummaryActionItem[] } {
  const specific = said.flatMap(({ vector }, index) => (vector.size >= SPECIFIC ? [index] : []));
  const decided = pick(said, decisionsIn(said, specific, cues));
  const others = specific.filter((index) => !decided.includes(index));
  return {
    decisions: decided.map((index) => presented(said[index]!, talk)),
    actionItems: pick(said, tasksIn(said, others, { cues, talk, speakers })).map((index) => ({
      ...presented(said[index]!, talk),
      owner: ownerOf(said, index, { cues, speakers }),
      due: cues.due(said[index]!.sentence.text),
    })),
  };
}

function decisionsIn(
  said: readonly Weighed[],
  specific: readonly number[],
  { declared, resolved, doubted }: ResolutionCues,
): Candidate[] {
  return specific.flatMap((index) => {
    const { text } = said[index]!.sentence;
    const match = declared.exec(text) ?? resolved.exec(text);
    // Doubts count before the cue, not in what follows.
    if (!match || isQuestion(text) || doubted.test(text.slice(0, match.index))) return [];
    return { index, worth: 0 };
  });
}

function tasksIn(
  said: readonly Weighed[],
  specific: readonly number[],
  { cues, talk, speakers }: { cues: ResolutionCues; talk: Cues; speakers: Speakers },
): Candidate[] {
  return specific.flatMap((index) => {
    const { text } = said[index]!.sentence;
    const [isAsked, isNeeded] = [cues.asked.test(text), cues.needed.test(text)];
    const isNamed = cues.task.test(text) && namedIn(text, cues, speakers) !== null;
    if (!cues.promised.test(text) && !isNamed && !isAsked && !isNeeded) return [];
    const isDue = cues.due(text) !== null;
    const worth = Number(isAsked) + Number(isDue) - Number(isNeeded) - Number(talk.smallTalk.test(text));
    return worth < 0 || (isQuestion(text) && !isAsked) ? [] : { index, worth };
  });
}

/** The best ones that are far enough apart, in chronological order. */
function pick(said: readonly Weighed[], candidates: readonly Candidate[]): number[] {
  const picked: number[] = [];
  for (const { index } of candidates.toSorted((one, other) => other.worth - one.worth)) {
    if (picked.length === MOST) break;
    const { start } = said[index]!.sentence;
    if (picked.every((other) => Math.abs(said[other]!.sentence.start - start) > SAME)) picked.push(index);
  }
  return picked.sort((one, other) => one - other);
}

function presented({ sentence: { text, start, segmentIds } }: Weighed, talk: Cues): SummaryDecision {
  return { text: readable(text, talk), start, segmentIds, confidence: null };
}

function isQuestion(text: string): boolean {
  return /[?？]$/u.test(text);
}
