import type { Cues } from './extractive-cues.js';
import type { Weighed } from './extractive-words.js';
import { probability, type Learned, type Model } from './learned.js';
import { namedIn, ownerOf, type Speakers } from './owners.js';
import type { ResolutionCues } from './resolution-cues.js';
import type { SummaryActionItem, SummaryDecision } from './summary.js';

export const DECISION_FEATURES = ['declared', 'resolved', 'doubted'] as const;
export const ACTION_FEATURES = ['promised', 'asked', 'needed', 'due', 'talk'] as const;

/** A sentence that may be a decision or an action item. */
export interface Candidate {
  readonly index: number;
  readonly features: readonly number[];
}

const MOST = 8;
/** Seconds within which two sentences are about the same. */
const SAME = 60;
/** Content words; fewer are not specific. */
const SPECIFIC = 3;

/** Sentences in which something may be decided. */
export function decisionCandidates(said: readonly Weighed[], cues: ResolutionCues): Candidate[] {
  return said.flatMap((one, index) => {
    const { text } = one.sentence;
    const [declared, resolved] = [test(cues.declared, text), test(cues.resolved, text)];
    if (declared + resolved === 0 || !isSpecific(one) || isQuestion(text)) return [];
    const doubted = doubtsIn(text, declared ? cues.declared : cues.resolved, cues.doubted);
    return { index, features: [declared, resolved, doubted] };
  });
}

/** Sentences in which somebody may undertake something or be asked to do it. */
export function actionCandidates(
  said: readonly Weighed[],
  cues: ResolutionCues,
  { talk, speakers }: { talk: Cues; speakers: Speakers },
): Candidate[] {
  return said.flatMap((one, index) => {
    const { text } = one.sentence;
    const [asked, needed] = [test(cues.asked, text), test(cues.needed, text)];
    const isNamed = cues.task.test(text) && namedIn(text, cues, speakers) !== null;
    const promised = cues.promised.test(text) || isNamed ? 1 : 0;
    if (promised + asked + needed === 0 || !isSpecific(one) || (isQuestion(text) && !asked)) return [];
    const due = cues.due(text) === null ? 0 : 1;
    return { index, features: [promised, asked, needed, due, test(talk.smallTalk, text)] };
  });
}

export function decisionsOf(
  said: readonly Weighed[],
  cues: ResolutionCues,
  { decisions }: Learned,
): SummaryDecision[] {
  const picked = pick(said, decisionCandidates(said, cues), decisions, DECISION_FEATURES);
  return [...picked].map(([index, chance]) => presented(said[index]!, chance));
}

export function actionItemsOf(
  said: readonly Weighed[],
  cues: ResolutionCues,
  { learned, ...others }: { learned: Learned; talk: Cues; speakers: Speakers },
): SummaryActionItem[] {
  const isDecision = pick(said, decisionCandidates(said, cues), learned.decisions, DECISION_FEATURES);
  const candidates = actionCandidates(said, cues, others).filter(({ index }) => !isDecision.has(index));
  return [...pick(said, candidates, learned.actionItems, ACTION_FEATURES)].map(([index, chance]) => ({
    ...presented(said[index]!, chance),
    owner: ownerOf(said, index, { cues, speakers: others.speakers }),
    due: cues.due(said[index]!.sentence.text),
  }));
}

/** The probabilities of the most probable ones that are far enough apart, by index, in chronological order. */
export function pick(
  said: readonly Weighed[],
  candidates: readonly Candidate[],
  model: Model & { readonly threshold: number },
  names: readonly string[],
): Map<number, number> {
  const ranked = candidates
    .map(({ index, features }) => ({ index, chance: probability(model, names, features) }))
    .filter(({ chance }) => chance >= model.threshold)
    .sort((one, other) => other.chance - one.chance);
  const picked = new Map<number, number>();
  for (const { index, chance } of ranked) {
    if (picked.size === MOST) break;
    const { start } = said[index]!.sentence;
    const isApart = (other: number): boolean => Math.abs(said[other]!.sentence.start - start) > SAME;
    if ([...picked.keys()].every(isApart)) picked.set(index, chance);
  }
  return new Map([...picked].sort(([one], [other]) => one - other));
}

function presented({ sentence: { text, start, segmentIds } }: Weighed, chance: number): SummaryDecision {
  return { text, start, segmentIds, confidence: Math.round(chance * 100) / 100 };
}

function test(cue: RegExp, text: string): number {
  return cue.test(text) ? 1 : 0;
}

/** Doubts count before the cue, not in what follows. */
function doubtsIn(text: string, cue: RegExp, doubted: RegExp): number {
  const match = cue.exec(text);
  return match ? test(doubted, text.slice(0, match.index)) : 0;
}

function isSpecific({ vector }: Weighed): boolean {
  return vector.size >= SPECIFIC;
}

function isQuestion(text: string): boolean {
  return /[?？]$/u.test(text);
}
