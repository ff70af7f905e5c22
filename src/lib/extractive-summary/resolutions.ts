import type { Cues } from './extractive-cues.js';
import { stretchAround, type Weighed } from './extractive-words.js';
import { isQuestion, ownerOf, type Explicit, type Speakers } from './explicit-resolutions.js';
import type { ResolutionCues } from './resolution-cues.js';
import { ownWeight, pick, type Learned, type Moments, type Scores } from './learned.js';
import { readable } from './extractive-points.js';
import type { GeneratedSummary, SummaryDecision } from './summary.js';

/** A meeting, with what the models make of its moments. */
interface Heard {
  readonly said: readonly Weighed[];
  /** Null for meetings unlike those with notes, in other languages or short ones: explicit sentences are all there is. */
  readonly learned: Learned | null;
  readonly moments: Moments;
  readonly scores: Scores;
  readonly explicit: Explicit;
  readonly talk: Cues;
  readonly cues: ResolutionCues;
  readonly speakers: Speakers;
}

interface Found {
  /** Of the sentence that says it best. */
  readonly index: number;
  readonly confidence: number | null;
}

/** How explicit sentences are picked; `least` lets those through that are worth 0 or more. */
const BY_RULE = { most: 8, apart: 60, further: 0, confidence: { bias: 0, slope: 1 }, least: 0.5 };
/** Content words of an explicit sentence; fewer are not specific. */
const SPECIFIC = 3;
/** Seconds around a moment in which the sentence is that says it best. */
const NEAR = 30;
/** What an explicit sentence gains, and a fragment or a question loses, as log-odds. */
const CLEAR = 1;
/** Content words of a sentence that says enough on its own, and the longest pause after the one it leans on. */
const ENOUGH = 4;
const PAUSE = 5;

/** What was agreed and what is to be done, by time: where people probably note something, or else explicit. */
export function resolutionsOf(heard: Heard): Pick<GeneratedSummary, 'decisions' | 'actionItems'> {
  const { said, cues, speakers } = heard;
  const used = new Set<number>();
  const [decided, promised] = [find(heard, 'decisions', used), find(heard, 'actionItems', used)];
  return {
    decisions: decided.map((one) => presented(heard, one)),
    actionItems: promised.map((one) => ({
      ...presented(heard, one),
      owner: ownerOf(said, one.index, { cues, speakers }),
      due: cues.due(said[one.index]!.sentence.text),
    })),
  };
}

/** Finds decisions or action items, and adds their sentences to `used`. */
function find(heard: Heard, list: keyof Explicit, used: Set<number>): Found[] {
  const { said, learned, scores, explicit } = heard;
  const starts = said.map(({ sentence }) => sentence.start);
  const isUsable = (at: number): boolean => said[at]!.vector.size >= SPECIFIC && !used.has(at);
  const worths = explicit[list].map((worth, at) => (isUsable(at) ? worth : -1));
  const model = learned?.[list];
  const picks = model ? pick(starts, scores[list], model) : pick(starts, worths, BY_RULE);
  const found = picks.flatMap(({ index, confidence }) => {
    const closing = model ? closingNear(heard, index, { list, weights: model.weights, used }) : index;
    if (closing === null) return [];
    used.add(closing);
    return { index: closing, confidence: model ? confidence : null };
  });
  return found.sort((one, other) => one.index - other.index);
}

/** The sentence around a moment that has most of what the model looks for; null if there is none but small talk. */
function closingNear(
  { said, moments, explicit, talk }: Heard,
  index: number,
  { list, weights, used }: { list: keyof Explicit; weights: readonly number[]; used: ReadonlySet<number> },
): number | null {
  const { start } = said[index]!.sentence;
  const [from, to] = stretchAround(
    index,
    (at) => at in said && Math.abs(said[at]!.sentence.start - start) <= NEAR,
  );
  let best: { at: number; worth: number } | null = null;
  for (let at = from; at < to; at += 1) {
    const { sentence, vector } = said[at]!;
    if (used.has(at) || vector.size < 2 || talk.smallTalk.test(sentence.text)) continue;
    const isWhole = talk.wholeSentence.test(sentence.text) && !isQuestion(sentence.text);
    const clear = explicit[list][at]! >= 0 ? CLEAR : isWhole ? 0 : -CLEAR;
    const worth = ownWeight(moments[at]!, weights) + clear;
    if (best === null || worth > best.worth) best = { at, worth };
  }
  return best?.at ?? null;
}

/** The sentence, after the one before it of the same speaker if it says little on its own. */
function presented({ said, talk }: Heard, { index, confidence }: Found): SummaryDecision {
  const { sentence, vector } = said[index]!;
  const before = said[index - 1]?.sentence;
  const leans = vector.size < ENOUGH && before?.speaker === sentence.speaker;
  const isClose = leans && sentence.start - before.end <= PAUSE && !talk.smallTalk.test(before.text);
  const all = isClose ? [before, sentence] : [sentence];
  return {
    text: all.map(({ text }) => readable(text, talk)).join(' '),
    start: all[0]!.start,
    segmentIds: [...new Set(all.flatMap(({ segmentIds }) => segmentIds))],
    confidence: confidence === null ? null : Math.round(confidence * 100) / 100,
  };
}
