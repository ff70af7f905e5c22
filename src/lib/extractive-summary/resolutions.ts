import type { Cues } from './extractive-cues.js';
import type { Weighed } from './extractive-words.js';
import { explicitIn, SAME, type Explicit } from './explicit-resolutions.js';
import { pick, type Learned, type Scores } from './learned.js';
import { ownWeight, type Moments } from './moment-features.js';
import { ownerOf, type Speakers } from './owners.js';
import { readable } from './readable.js';
import type { ResolutionCues } from './resolution-cues.js';
import type { SummaryActionItem, SummaryDecision } from './summary.js';

/** A meeting, with what the models make of its moments. */
export interface Heard {
  readonly said: readonly Weighed[];
  /** Null for meetings unlike those with notes, in other languages or short ones: explicit sentences are all there is. */
  readonly learned: Learned | null;
  readonly moments: Moments;
  readonly scores: Scores;
  readonly talk: Cues;
  readonly cues: ResolutionCues;
  readonly speakers: Speakers;
}

interface Found {
  /** Of the sentence that says it best. */
  readonly index: number;
  readonly confidence: number | null;
}

/** Seconds around a moment in which the sentence is that says it best. */
const NEAR = 30;
/** The worth that explicit sentences need where stretches of dialogue are found as well. */
export const WORTH = 1;
/** How much more an explicit sentence is worth, as log-odds. */
const EXPLICIT = 1;
/** Content words of a sentence that says enough on its own, and the longest pause after the one it leans on. */
const ENOUGH = 4;
const PAUSE = 5;

/**
 * What was agreed, and what somebody is to do, each in chronological order: stretches of dialogue in which people probably
 * note something, and explicit sentences.
 */
export function resolutionsOf(heard: Heard): {
  decisions: SummaryDecision[];
  actionItems: SummaryActionItem[];
} {
  const { said, cues, speakers } = heard;
  const explicit = explicitIn(said, cues, { ...heard, least: 0 });
  const sure = heard.learned ? explicitIn(said, cues, { ...heard, least: WORTH }) : explicit;
  const decided = find(heard, 'decisions', { explicit, sure, taken: [] });
  const promised = find(heard, 'actionItems', { explicit, sure, taken: decided });
  return {
    decisions: decided.map((one) => presented(heard, one)),
    actionItems: promised.map((one) => ({
      ...presented(heard, one),
      owner: ownerOf(said, one.index, { cues, speakers }),
      due: cues.due(said[one.index]!.sentence.text),
    })),
  };
}

function find(
  heard: Heard,
  list: 'decisions' | 'actionItems',
  { explicit, sure, taken }: { explicit: Explicit; sure: Explicit; taken: readonly Found[] },
): Found[] {
  const { said, learned, scores } = heard;
  const model = learned?.[list];
  const starts = said.map(({ sentence }) => sentence.start);
  const used = new Set(taken.map(({ index }) => index));
  const found: Found[] = [];
  for (const { index, confidence } of model ? pick(starts, scores[list], model) : []) {
    const closing = closingNear(heard, index, { weights: model!.weights, explicit: explicit[list], used });
    if (closing === null) continue;
    used.add(closing);
    found.push({ index: closing, confidence });
  }
  const others = sure[list].filter((index) =>
    found.every((one) => Math.abs(starts[one.index]! - starts[index]!) > SAME),
  );
  const all = [...found, ...others.map((index) => ({ index, confidence: model?.explicit ?? null }))];
  return all.sort((one, other) => one.index - other.index);
}

/** The sentence around a moment that has most of what the model looks for; null if there is none but small talk. */
function closingNear(
  { said, moments, talk }: Heard,
  index: number,
  {
    weights,
    explicit,
    used,
  }: { weights: readonly number[]; explicit: readonly number[]; used: ReadonlySet<number> },
): number | null {
  const { start } = said[index]!.sentence;
  const isNear = (at: number) => at in said && Math.abs(said[at]!.sentence.start - start) <= NEAR;
  let [from, to] = [index, index + 1];
  while (isNear(from - 1)) from -= 1;
  while (isNear(to)) to += 1;
  let best: { at: number; worth: number } | null = null;
  for (let at = from; at < to; at += 1) {
    const { sentence, vector } = said[at]!;
    if (used.has(at) || vector.size < 2 || talk.smallTalk.test(sentence.text)) continue;
    const worth = ownWeight(moments, at, weights) + (explicit.includes(at) ? EXPLICIT : 0);
    if (best === null || worth > best.worth) best = { at, worth };
  }
  return best?.at ?? null;
}

/** The sentence, after the one before it of the same speaker if it says little on its own. */
function presented({ said, talk }: Heard, { index, confidence }: Found): SummaryDecision {
  const { sentence, vector } = said[index]!;
  const before = said[index - 1]?.sentence;
  const leans = vector.size < ENOUGH && before?.speaker === sentence.speaker;
  const all = leans && sentence.start - before.end <= PAUSE ? [before, sentence] : [sentence];
  return {
    text: all.map(({ text }) => readable(text, talk)).join(' '),
    start: all[0]!.start,
    segmentIds: [...new Set(all.flatMap(({ segmentIds }) => segmentIds))],
    confidence: confidence === null ? null : Math.round(confidence * 100) / 100,
  };
}
