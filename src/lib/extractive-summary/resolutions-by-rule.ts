import type { Cues } from './extractive-cues.js';
import type { Weighed } from './extractive-words.js';
import { readable } from './readable.js';
import { namedIn, ownerOf, type Speakers } from './owners.js';
import type { ResolutionCues } from './resolution-cues.js';
import type { SummaryActionItem, SummaryDecision } from './summary.js';

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
  const decided = pick(said, (text) => (isDecision(text, cues) ? 0 : -1));
  const others = said.filter((one) => !decided.includes(one));
  return {
    decisions: decided.map((one) => presented(one, talk)),
    actionItems: pick(others, (text) => taskWorth(text, cues, { talk, speakers })).map((one) => ({
      ...presented(one, talk),
      owner: ownerOf(said, said.indexOf(one), { cues, speakers }),
      due: cues.due(one.sentence.text),
    })),
  };
}

function isDecision(text: string, { declared, resolved, doubted }: ResolutionCues): boolean {
  const match = declared.exec(text) ?? resolved.exec(text);
  // Doubts count before the cue, not in what follows.
  return match !== null && !isQuestion(text) && !doubted.test(text.slice(0, match.index));
}

/** Less than 0 if nobody is to do anything. */
function taskWorth(
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

/** The best ones that are far enough apart, in chronological order; none that is worth less than 0. */
function pick(said: readonly Weighed[], worthOf: (text: string) => number): Weighed[] {
  const picked: Weighed[] = [];
  const candidates = said
    .filter(({ vector }) => vector.size >= SPECIFIC)
    .map((one) => ({ one, worth: worthOf(one.sentence.text) }))
    .filter(({ worth }) => worth >= 0)
    .sort((one, other) => other.worth - one.worth);
  for (const { one } of candidates) {
    const isApart = picked.every(({ sentence }) => Math.abs(sentence.start - one.sentence.start) > SAME);
    if (picked.length < MOST && isApart) picked.push(one);
  }
  return picked.sort((one, other) => one.sentence.start - other.sentence.start);
}

function presented({ sentence: { text, start, segmentIds } }: Weighed, talk: Cues): SummaryDecision {
  return { text: readable(text, talk), start, segmentIds, confidence: null };
}

function isQuestion(text: string): boolean {
  return /[?？]$/u.test(text);
}
