import { attributed, NO_SPEECH, quote } from './extractive-content.js';
import { cuesOf, type Cues } from './extractive-cues.js';
import { pickPoints, withDetails, type Point } from './extractive-points.js';
import { scoreAll, type Scored } from './extractive-scores.js';
import { phrasesOf, titleOf } from './extractive-titles.js';
import { weigh, type Lexemes, type Weighed } from './extractive-words.js';
import { logistic, scoresOf, type Learned, type Scores } from './learned.js';
import { explicitIn } from './explicit-resolutions.js';
import { LEARNED } from './learned-weights.js';
import { overviewOf } from './overview.js';
import { speakersByName } from './owners.js';
import { momentsOf } from './moment-features.js';
import { NO_CUES, resolutionCuesOf } from './resolution-cues.js';
import { resolutionsOf } from './resolutions.js';
import { wordCount } from '../language/dense-words.js';
import { toSentences, type Sentence } from './sentences.js';
import { tile } from './text-tiling.js';
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
  const { said, cues } = await listen(source, lexemes);
  const speakers = speakersByName(source.speakers);
  const resolving = resolutionCuesOf(source.language) ?? NO_CUES;
  const explicit = explicitIn(said, resolving, { talk: cues, speakers });
  const moments = momentsOf(said, cues, isEnglish(source.language) ? explicit : null);
  const scores = scoresOf(said, moments, learned);
  const topics = said.length === 0 ? [] : topicsOf(said, cues, scores);
  const resolutions = resolutionsOf({
    said,
    learned: isEnglish(source.language) && secondsOf(said) > SHORT ? learned : null,
    moments,
    scores,
    explicit,
    talk: cues,
    cues: resolving,
    speakers,
  });
  const phrases = phrasesOf(
    topics.map((topic) => topic.said),
    source.speakers,
    cues,
  );
  const overview = overviewOf(
    topics.map((topic, index) => ({ said: topic.said, phrases: phrases[index]! })),
    source.language,
    cues,
  );
  return {
    content: source.segments.length === 0 ? NO_SPEECH : overview,
    ...resolutions,
    topics: topics.map((topic, index) => presented(topic, titleOf(phrases[index]!))),
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

export function isEnglish(language: string | null): boolean {
  return language?.toLowerCase().split('-')[0] === 'en';
}

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
  const parts = tile(said, topicCount(said), cues.transition);
  const scored = scoreAll(said, cues);
  const points = pickPoints(scored, scores.map(logistic), { minutes: minutesOf(said), topics: parts.length });
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

function secondsOf(said: readonly Weighed[]): number {
  return said.length === 0 ? 0 : said.at(-1)!.sentence.end - said[0]!.sentence.start;
}

function topicCount(said: readonly Weighed[]): number {
  const wanted = Math.min(Math.max(Math.round(minutesOf(said) / MINUTES_EACH), MIN_TOPICS), MAX_TOPICS);
  return Math.max(1, Math.min(wanted, Math.floor(said.length / SENTENCES_EACH)));
}

function minutesOf(said: readonly Weighed[]): number {
  return said.reduce((sum, { sentence }) => sum + sentence.text.length, 0) / CHARACTERS_A_MINUTE;
}

/** Drops what was said while people were still joining. */
function sinceOpening(sentences: readonly Sentence[], { openings }: Cues): readonly Sentence[] {
  const all = sentences.reduce((sum, { text }) => sum + text.length, 0);
  let [before, count] = [0, 0];
  for (const { text } of sentences) {
    before += text.length;
    if (before > OPENING_SHARE * all) break;
    count += 1;
  }
  const beginning = sentences.slice(0, count);
  const found = openings.map((opening) => beginning.findLastIndex(({ text }) => opening.test(text)));
  return sentences.slice(found.find((index) => index >= 0) ?? 0);
}

function presented({ start, points }: Topic, title: string): SummaryTopic {
  return {
    title: title || beginningOf(points[0]!.of.prose),
    start,
    keyPoints: points.map(({ of, details }) => ({
      point: attributed(of.sentence.speaker, of.prose),
      start: of.sentence.start,
      details: details.map(({ sentence: { speaker, start: at }, prose }) => quote(speaker, at, prose)),
    })),
  };
}

/** The title if no words stand out. */
function beginningOf(text: string): string {
  const words = text.split(' ').slice(0, TITLE_WORDS).join(' ').slice(0, TITLE_LENGTH).toWellFormed();
  return words.length < text.length ? `${words}…` : words;
}
