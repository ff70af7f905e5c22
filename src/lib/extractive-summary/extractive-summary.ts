import { attributed, NO_SPEECH, quote } from './extractive-content.js';
import { cuesOf, type Cues } from './extractive-cues.js';
import { pickPoints, scoreAll, withDetails, type Point, type Scored } from './extractive-points.js';
import { phrasesOf, titleOf } from './extractive-titles.js';
import { weigh, type Lexemes, type Weighed, likeness } from './extractive-words.js';
import { logistic, scoresOf, type Learned, type Scores, momentsOf } from './learned.js';
import { LEARNED } from './learned-weights.js';
import { overviewOf, type Covered } from './overview.js';
import { explicitIn, speakersByName } from './explicit-resolutions.js';
import { NO_CUES, resolutionCuesOf } from './resolution-cues.js';
import { resolutionsOf } from './resolutions.js';
import { wordCount } from '../language/dense-words.js';
import { toSentences, type Sentence } from './sentences.js';
import type { GeneratedSummary, SummarySource, SummaryTopic } from './summary.js';

/** Characters spoken per minute, so that lengths do not depend on timestamps. */
const CHARACTERS_A_MINUTE = 850;
/** Average minutes of a topic, and the fewest sentences and points of one. */
const MINUTES_EACH = 8;
const SENTENCES_EACH = 8;
const MIN_POINTS = 2;
const MIN_TOPICS = 3;
const MAX_TOPICS = 10;
/** Limits of a title that is the beginning of a sentence. */
const TITLE_WORDS = 5;
const TITLE_LENGTH = 60;
/** Words of a sentence that is not said twice by chance. */
const REPEATED_WORDS = 4;
/** Seconds of a meeting that is shorter than any from which it was learned what people note. */
const SHORT = 600;
/** Share of the meeting that is searched for its opening. */
const OPENING_SHARE = 0.12;

interface Topic {
  readonly start: number;
  readonly said: readonly Scored[];
  readonly points: readonly Point[];
}

/**
 * Extractive summary: takes what was said in a meeting, and gives a summary composed of the meeting's own sentences, in
 * time linear in its length. Sends nothing to other services. `lexemes` finds the stems of each text, in the order of
 * the texts.
 */
export async function summarizeExtractively(
  source: SummarySource,
  lexemes: Lexemes,
  learned: Learned = LEARNED,
): Promise<GeneratedSummary> {
  const { language } = source;
  const { said, cues: talk } = await listen(source, lexemes);
  const speakers = speakersByName(source.speakers);
  const cues = resolutionCuesOf(language) ?? NO_CUES;
  const explicit = explicitIn(said, cues, { talk, speakers });
  const moments = momentsOf(said, talk, isEnglish(language) ? explicit : null);
  const scores = scoresOf(said, moments, learned);
  const topics = said.length === 0 ? [] : topicsOf(said, talk, scores);
  const model = isEnglish(language) && secondsOf(said) > SHORT ? learned : null;
  const phrases = phrasesOf(topics, source.speakers, talk);
  const covered = topics.map((topic, index) => ({ ...topic, phrases: phrases[index]! }));
  return {
    content: source.segments.length === 0 ? NO_SPEECH : overviewOf(covered, language, talk),
    ...resolutionsOf({ said, learned: model, moments, scores, explicit, talk, cues, speakers }),
    topics: covered.map(presented),
  };
}

/** The sentences of a meeting since it was opened, with the cues of its language. */
export async function listen(
  { segments, language }: SummarySource,
  lexemes: Lexemes,
): Promise<{ said: Weighed[]; cues: Cues }> {
  const cues = cuesOf(language);
  const sentences = sinceOpening(distinct(toSentences(segments, language, cues)), cues);
  return { said: await weigh(sentences, lexemes, cues.empty), cues };
}

const isEnglish = (language: string | null): boolean => language?.toLowerCase().split('-')[0] === 'en';

/** What is said again in the same words counts once; short sentences may answer different things. */
function distinct(sentences: readonly Sentence[]): readonly Sentence[] {
  const seen = new Set<string>();
  return sentences.filter(({ text }) => {
    const words = text.toLowerCase();
    if (seen.has(words)) return false;
    if (wordCount(text) >= REPEATED_WORDS) seen.add(words);
    return true;
  });
}

/** The topics with their key points. A part with fewer than two points is a transition to the next topic. */
function topicsOf(said: readonly Weighed[], cues: Cues, { points: scores }: Scores): Topic[] {
  const minutes = minutesOf(said);
  const wanted = Math.min(Math.max(Math.round(minutes / MINUTES_EACH), MIN_TOPICS), MAX_TOPICS);
  const count = Math.max(1, Math.min(wanted, Math.floor(said.length / SENTENCES_EACH)));
  const parts = tile(said, count, cues.transition);
  const scored = scoreAll(said, cues);
  const points = pickPoints(scored, scores.map(logistic), { minutes, topics: parts.length });
  const topics: Topic[] = [];
  let from = 0;
  for (const [, to] of parts) {
    const own = points.filter(({ index }) => index >= from && index < to);
    if (own.length === 0 || (own.length < MIN_POINTS && to < said.length)) continue;
    const topic = scored.slice(from, to);
    topics.push({ start: topic[0]!.sentence.start, said: topic, points: withDetails(own, topic) });
    from = to;
  }
  return topics;
}

const secondsOf = (said: readonly Weighed[]): number =>
  (said.at(-1)?.sentence.end ?? 0) - (said[0]?.sentence.start ?? 0);

const minutesOf = (said: readonly Weighed[]): number =>
  said.reduce((sum, { sentence }) => sum + sentence.text.length, 0) / CHARACTERS_A_MINUTE;

/** Drops what was said while people were still joining. */
function sinceOpening(sentences: readonly Sentence[], { openings }: Cues): readonly Sentence[] {
  let left = OPENING_SHARE * sentences.reduce((sum, { text }) => sum + text.length, 0);
  const end = sentences.findIndex(({ text }) => (left -= text.length) < 0);
  const beginning = sentences.slice(0, end);
  const found = openings.map((opening) => beginning.findLastIndex(({ text }) => opening.test(text)));
  return sentences.slice(found.find((index) => index >= 0) ?? 0);
}

const presented = ({ start, points, phrases }: Topic & Covered): SummaryTopic => ({
  title: titleOf(phrases) || beginningOf(points[0]!.of.prose),
  start,
  keyPoints: points.map(({ of, details }) => ({
    point: attributed(of.sentence.speaker, of.prose),
    start: of.sentence.start,
    details: details.map(({ sentence: { speaker, start: at }, prose }) => quote(speaker, at, prose)),
  })),
});

/** The title if no words stand out. */
function beginningOf(text: string): string {
  const words = text.split(' ').slice(0, TITLE_WORDS).join(' ').slice(0, TITLE_LENGTH).toWellFormed();
  return words.length < text.length ? `${words}…` : words;
}

/** Sentences compared on either side. */
const WINDOW = 20;
const CUE_WEIGHT = 0.35;
const TURN_WEIGHT = 0.08;
/** Minimum length of a topic, as a share of the average. */
const LEAST_SHARE = 0.4;

/**
 * Splits a meeting after Hearst's TextTiling, where the text before and after has the fewest words in common, preferably
 * at a change of speaker or subject. Returns at most `count` ranges `[from, to)` that cover everything, in linear time.
 */
function tile(said: readonly Weighed[], count: number, transition: RegExp): [number, number][] {
  const scores = said.map(({ sentence }, gap) => {
    const isTurn = said[gap - 1]?.sentence.speaker !== sentence.speaker;
    const isCue = transition.test(sentence.text);
    return (isCue ? CUE_WEIGHT : 0) + (isTurn ? TURN_WEIGHT : 0) - likenessAt(said, gap);
  });
  let all = 0;
  const offsets = [0, ...said.map(({ sentence }) => (all += sentence.text.length))];
  const least = (LEAST_SHARE * all) / count;
  const borders = [0, said.length];
  const order = scores.map((_, gap) => gap).sort((one, other) => scores[other]! - scores[one]!);
  for (const gap of order) {
    if (borders.length > count) break;
    if (borders.every((border) => Math.abs(offsets[border]! - offsets[gap]!) >= least)) borders.push(gap);
  }
  borders.sort((one, other) => one - other);
  return borders.slice(1).map((to, index) => [borders[index]!, to]);
}

/** Cosine similarity of the words before and after the beginning of a sentence. */
function likenessAt(said: readonly Weighed[], gap: number): number {
  const before = wordsOf(said.slice(Math.max(gap - WINDOW, 0), gap));
  const after = wordsOf(said.slice(gap, gap + WINDOW));
  return likeness(before, after) / (Math.sqrt(likeness(before, before) * likeness(after, after)) || 1);
}

function wordsOf(said: readonly Weighed[]): Pick<Weighed, 'vector'> {
  const sums = new Map<string, number>();
  for (const { vector } of said)
    for (const [stem, weight] of vector) sums.set(stem, (sums.get(stem) ?? 0) + weight);
  return { vector: sums };
}
