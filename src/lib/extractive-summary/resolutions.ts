import type { Cues } from './extractive-cues.js';
import type { Weighed } from './extractive-words.js';
import { pick, type Learned, type Pick, type Picking, type Scores } from './learned.js';
import { ownWeight, type Moments } from './moment-features.js';
import { ownerOf, type Speakers } from './owners.js';
import { readable } from './readable.js';
import { ENGLISH } from './resolution-cues.js';
import type { SummaryActionItem, SummaryDecision } from './summary.js';

/** A meeting in English, with what the models make of its moments. */
export interface Heard {
  readonly said: readonly Weighed[];
  readonly moments: Moments;
  readonly scores: Scores;
  readonly learned: Learned;
  readonly talk: Cues;
  readonly speakers: Speakers;
}

/** Seconds around a moment in which the sentence is that says it best. */
const NEAR = 30;
/** Content words; sentences with fewer need the one before that names the subject. */
const ENOUGH = 6;
/** Sentences back, and seconds, in which the subject is named. */
const BACK = 8;
const SUBJECT_SECONDS = 60;

/** What was agreed, and what somebody is to do, each in chronological order. */
export function resolutionsOf(heard: Heard): {
  decisions: SummaryDecision[];
  actionItems: SummaryActionItem[];
} {
  const { said, scores, learned, speakers } = heard;
  const starts = said.map(({ sentence }) => sentence.start);
  const taken = new Set<number>();
  const closings = (picks: readonly Pick[], model: Picking) =>
    picks
      .flatMap(({ index, confidence }) => {
        const closing = closingNear(heard, index, { model, taken });
        if (closing === null) return [];
        taken.add(closing);
        return [{ closing, confidence }];
      })
      .sort((one, other) => one.closing - other.closing);
  const decided = closings(pick(starts, scores.decisions, learned.decisions), learned.decisions);
  const promised = closings(pick(starts, scores.actionItems, learned.actionItems), learned.actionItems);
  return {
    decisions: decided.map(({ closing, confidence }) => presented(heard, closing, confidence)),
    actionItems: promised.map(({ closing, confidence }) => ({
      ...presented(heard, closing, confidence),
      owner: ownerOf(said, closing, { cues: ENGLISH, speakers }),
      due: ENGLISH.due(said[closing]!.sentence.text),
    })),
  };
}

/** The sentence around a moment that has most of what the model looks for; null if there is none but small talk. */
function closingNear(
  { said, moments, talk }: Heard,
  index: number,
  { model, taken }: { model: Picking; taken: ReadonlySet<number> },
): number | null {
  const { start } = said[index]!.sentence;
  const isNear = (at: number) => at in said && Math.abs(said[at]!.sentence.start - start) <= NEAR;
  let [from, to] = [index, index + 1];
  while (isNear(from - 1)) from -= 1;
  while (isNear(to)) to += 1;
  let best: { at: number; worth: number } | null = null;
  for (let at = from; at < to; at += 1) {
    const { sentence, vector } = said[at]!;
    if (taken.has(at) || vector.size < 2 || talk.smallTalk.test(sentence.text)) continue;
    const worth = ownWeight(moments, at, model.weights);
    if (best === null || worth > best.worth) best = { at, worth };
  }
  return best?.at ?? null;
}

/** The sentence, after the one that names its subject if it does not do so itself. */
function presented({ said, talk }: Heard, index: number, confidence: number): SummaryDecision {
  const { sentence, vector } = said[index]!;
  const subject = vector.size < ENOUGH ? subjectBefore(said, index) : null;
  return {
    text: [...(subject === null ? [] : [subject]), sentence].map(({ text }) => readable(text, talk)).join(' '),
    start: sentence.start,
    segmentIds: [...new Set([...(subject?.segmentIds ?? []), ...sentence.segmentIds])],
    confidence: Math.round(confidence * 100) / 100,
  };
}

function subjectBefore(said: readonly Weighed[], index: number): Weighed['sentence'] | null {
  const { start } = said[index]!.sentence;
  const before = said
    .slice(Math.max(index - BACK, 0), index)
    .filter(({ sentence, vector }) => start - sentence.start <= SUBJECT_SECONDS && vector.size >= ENOUGH);
  return before.at(-1)?.sentence ?? null;
}
