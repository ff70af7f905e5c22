import { evidenceFor, onlyAsks } from './asked-for.js';
import type { SpokenSegment } from '../../../lib/transcript-formats/transcript.js';

/** What a question and the segments say, as stems. */
interface Stemmed {
  readonly question: string;
  readonly asked: readonly string[];
  /** Stems of the names, identifiers and numbers in the question. */
  readonly names: ReadonlySet<string>;
  /** Stems of the words that ask for decisions or action items. */
  readonly outcome: ReadonlySet<string>;
  /** The stems of each segment. */
  readonly words: readonly ReadonlySet<string>[];
  /** The stems of each label. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A segment and its meeting; neighbours are of one meeting. `cited`: a decision or action item that is asked for rests on it. */
type MeetingSegment = SpokenSegment & { readonly meeting: string; readonly cited: boolean };

/** Weight of a word in the segment itself and in those before and after it: answers follow what they answer. */
const BEFORE = [1, 0.5, 0.3, 0.15];
const AFTER = [1, 0.4, 0.2];
/** The same in the segments before it, where these ask. */
const ASKED_BEFORE = [1, 0.7, 0.5, 0.4, 0.3];
/** BM25: saturation of repeated words, and influence of the length of a passage. */
const [SATURATION, LENGTH_SHARE] = [1.2, 0.5];
/** Weight of a segment whose speaker the question names. */
const NAMED = 1.5;
/** Weight of a name or number of the question. */
const TELLING = 1.5;
/** Weight of a word that says little, and such words, as stems. */
const HALF = 0.5;
const LIGHT: ReadonlySet<string> = new Set(
  `get go look make take come want like know think thing way lot say tell talk mean happen suppos use need gibt geht
   mach komm nimm sag weiss dass fair aller parl hacer decir`.split(/\s+/),
);
/** Weight of a segment that asks, and of one that contains what is asked for, such as a number. */
const [ASKS, HOLDS] = [0.3, 1.5];
/** Weight of a cited segment. */
const CITED = 2;
/** Words that restrict a question for decisions or action items to nothing, as stems. */
const WHOLE_MEETING: ReadonlySet<string> = new Set(
  'meet call session record today made taken list sitzung meeting reunion réunion reunión'.split(' '),
);
/** A segment that contains no word of the question needs this many words to count as an answer. */
const ANSWER_WORDS = 3;

/** The segments that match, best first. */
export function scoreSegments(segments: readonly MeetingSegment[], stemmed: Stemmed) {
  const { question, asked, names, outcome, words, labels } = stemmed;
  const count = segments.length;
  const asks = segments.map(({ text }) => onlyAsks(text));
  const evidence = evidenceFor(question);
  const holds = (place: number): boolean => evidence?.(segments[place]?.text ?? '') === true;
  const lengths = spread(segments, asks, (place) => words[place]?.size ?? 0);
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, count) || 1;
  const scores = new Float64Array(count);
  const [spoken, near, named] = [new Uint8Array(count), new Uint8Array(count), new Uint8Array(count)];
  const labelStems = new Set([...labels.values()].flatMap((label) => [...label]));
  const topics = new Set(
    asked.filter((term) => ![outcome, labelStems, LIGHT, WHOLE_MEETING].some((of) => of.has(term))),
  );
  const onTopic = new Uint8Array(count).fill(topics.size === 0 ? 1 : 0);
  for (const term of asked) {
    const isLabel = labelStems.has(term);
    const weights = spread(segments, asks, (place) => (words[place]?.has(term) ? 1 : 0));
    let occurrences = 0;
    for (const [place, segment] of segments.entries()) {
      const says = words[place]?.has(term) === true;
      if (says) occurrences += 1;
      if (labels.get(segment.speaker)?.has(term)) named[place] = 1;
      if (!isLabel && says) spoken[place] = 1;
      if (!isLabel && (weights[place] ?? 0) > 0) near[place] = 1;
      if (topics.has(term) && (weights[place] ?? 0) > 0) onTopic[place] = 1;
    }
    const rarity = Math.log(1 + (count - occurrences + 0.5) / (occurrences + 0.5)) * weightOf(term, names);
    for (const [place, weight] of weights.entries()) {
      const longer = 1 - LENGTH_SHARE + (LENGTH_SHARE * (lengths[place] ?? 0)) / average;
      scores[place] = (scores[place] ?? 0) + (rarity * weight) / (weight + SATURATION * longer);
    }
  }
  // An answer to a question just asked may be short: "Cleo does."
  const replies = (place: number): boolean =>
    asks[place - 1] === true &&
    (evidence === null || holds(place)) &&
    segments[place - 1]?.speaker !== segments[place]?.speaker &&
    words[place]?.size !== 0;
  const onlyNames = !spoken.includes(1);
  const matches = (place: number): boolean => {
    if (segments[place]?.cited === true && onTopic[place] === 1) return true;
    const own = words[place]?.size ?? 0;
    if (onlyNames) return own > 0 && (named[place] === 1 || asked.some((term) => words[place]?.has(term)));
    if (spoken[place] === 1) return true;
    if (near[place] !== 1) return false;
    return replies(place) || (own >= ANSWER_WORDS && (named[place] === 1 || holds(place)));
  };
  const score = (place: number): number =>
    segments[place]?.cited === true ? CITED * (1 + matching(place)) : matching(place);
  const matching = (place: number): number => {
    const short = replies(place) ? 1 : Math.min(1, (words[place]?.size ?? 0) / ANSWER_WORDS);
    const answers = short * (asks[place] ? ASKS : 1) * (holds(place) ? HOLDS : 1) * (scores[place] ?? 0);
    if (named[place] === 0) return answers;
    return onlyNames ? answers + 1 : answers * NAMED;
  };
  return segments
    .flatMap((_, place) => (matches(place) ? [{ place, score: score(place) }] : []))
    .sort((a, b) => b.score - a.score || (words[b.place]?.size ?? 0) - (words[a.place]?.size ?? 0));
}

function weightOf(term: string, names: ReadonlySet<string>): number {
  if (names.has(term)) return TELLING;
  return LIGHT.has(term) ? HALF : 1;
}

/** The value of each segment or, if higher, the weighted value of a neighbour. */
function spread(
  segments: readonly MeetingSegment[],
  asks: readonly boolean[],
  value: (place: number) => number,
): Float64Array {
  const count = segments.length;
  const values = new Float64Array(count);
  for (let place = 0; place < count; place += 1) {
    const given = value(place);
    if (given === 0) continue;
    const onward = asks[place] ? ASKED_BEFORE : BEFORE;
    for (
      let at = Math.max(0, place - AFTER.length + 1);
      at < Math.min(count, place + onward.length);
      at += 1
    ) {
      if (segments[at]?.meeting !== segments[place]?.meeting) continue;
      const share = (at < place ? AFTER[place - at] : onward[at - place]) ?? 0;
      values[at] = Math.max(values[at] ?? 0, given * share);
    }
  }
  return values;
}
