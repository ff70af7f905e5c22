import { wordCount } from '../../../lib/language/dense-words.js';
import { composed, isDense } from '../../../lib/language/dense-scripts.js';
import { isNamed, namesIn, outcomesAskedFor } from './asked-for.js';
import type { Citation, MeetingCitation } from '../public/answer.response.dto.js';
import { scoreSegments } from './passage-scores.js';
import type { Meeting } from './meetings.queries.js';
import type { SpokenSegment } from '../../../lib/transcript-formats/transcript.js';

/** Returns the distinct stems of each text, without stop words, in the order of the texts. */
export type Lexemes = (language: string | null, texts: readonly string[]) => Promise<string[][]>;

/** A whole segment that matches a question. Higher scores are better; scores of different questions do not compare. */
export interface Passage extends MeetingCitation {
  readonly score: number;
  /** The segment with its neighbours, in chronological order. */
  readonly segments: readonly Citation[];
}

/** Passages that score below this share of the best are dropped. */
const LEAST_SHARE = 0.3;
/** Two passages with at least this share of words in common are duplicates. */
const SAME = 0.8;
/**
 * The segments that answer a question best, by BM25 over each segment and its neighbours. Naming a speaker favours what
 * they said; statements are preferred to questions, and those that contain what is asked for, such as a number, to
 * others. What decisions or action items rest on is favoured if the question asks for these. Only the best of duplicate passages is kept. Empty if no word of the question occurs.
 */
export async function rankPassages(
  question: string,
  meetings: readonly Meeting[],
  lexemes: Lexemes,
  max = 8,
): Promise<Passage[]> {
  const candidates: Candidate[] = [];
  // Words are comparable within a language.
  for (const language of new Set(meetings.map((meeting) => meeting.language))) {
    const group = meetings.filter((meeting) => meeting.language === language);
    candidates.push(...(await candidatesIn(question, group, (texts) => lexemes(language, texts))));
  }
  candidates.sort((one, other) => other.score - one.score || other.words.size - one.words.size);
  const chosen: Passage[] = [];
  const quoted = new Set<SpokenSegment>();
  const words: ReadonlySet<string>[] = [];
  for (const candidate of candidates) {
    if (chosen.length === max || candidate.score < (candidates[0]?.score ?? 0) * LEAST_SHARE) break;
    if (quoted.has(candidate.segment) || words.some((own) => overlap(candidate.words, own) >= SAME)) continue;
    const segments = withNeighbours(candidate.meeting.segments, candidate.place).filter(
      (one) => !quoted.has(one) && isWanted(candidate.meeting, one),
    );
    segments.forEach((one) => quoted.add(one));
    words.push(candidate.words);
    const { meeting, segment, score } = candidate;
    const { recordingId, title } = meeting;
    chosen.push({ recordingId, title, ...cited(segment), score, segments: segments.map(cited) });
  }
  return chosen;
}

const cited = ({ id, start, end, speaker, text }: SpokenSegment): Citation => ({
  id,
  start,
  end,
  speaker,
  quote: text.trim(),
});

interface Candidate {
  readonly meeting: Meeting;
  readonly segment: SpokenSegment;
  /** Index of the segment among those of the meeting. */
  readonly place: number;
  readonly words: ReadonlySet<string>;
  readonly score: number;
}

async function candidatesIn(
  question: string,
  meetings: readonly Meeting[],
  lexemes: (texts: readonly string[]) => Promise<string[][]>,
): Promise<Candidate[]> {
  const places = meetings.flatMap((meeting) =>
    meeting.segments.map((segment, place) => ({ meeting, segment, place })),
  );
  const labels = [...new Set(places.map(({ segment }) => segment.speaker))];
  const texts = places.map(({ segment }) => segment.text);
  const outcomes = outcomesAskedFor(question).words.join(' ');
  const stems = await lexemes([question, namesIn(question).join(' '), outcomes, ...labels, ...texts]);
  const [asked = [], names = [], outcome = [], ...others] = stems;
  const called = labels.flatMap((label, index) => (isNamed(label, question) ? (others[index] ?? []) : []));
  const terms = [...new Set([...asked, ...called])];
  const words = withDense(terms, texts, others.slice(labels.length));
  const scored = scoreSegments(
    places.map(({ meeting, segment }) => ({
      ...segment,
      meeting: meeting.recordingId,
      cited: meeting.cited.has(segment.id),
    })),
    {
      question,
      asked: terms,
      names: new Set(names),
      outcome: new Set(outcome),
      words,
      labels: new Map(labels.map((label, index) => [label, new Set(others[index])])),
    },
  );
  return scored.flatMap(({ place, score }) => {
    const found = places[place];
    return found && isWanted(found.meeting, found.segment)
      ? [{ ...found, words: words[place] ?? new Set(), score: score * found.meeting.weight }]
      : [];
  });
}

/** Terms of a question that are looked for within words, because the dictionary may divide a text otherwise. */
const MAX_WITHIN = 50;

/** The words of each text, and the terms of dense scripts that are part of others. */
function withDense(
  terms: readonly string[],
  texts: readonly string[],
  stems: readonly (readonly string[])[],
): Set<string>[] {
  const dense = terms.filter((term) => isDense(term) && [...term].length > 1).slice(0, MAX_WITHIN);
  return stems.map((own, index) => {
    const text = dense.length > 0 ? composed(texts[index] ?? '') : '';
    return new Set([...own, ...dense.filter((term) => text.includes(term))]);
  });
}

/** Whether a speaker that was asked for said it. */
const isWanted = ({ speakers }: Meeting, { speaker }: SpokenSegment): boolean =>
  speakers === null || speakers.includes(speaker);

/** Share of words in common, 0 to 1. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  const common = [...small].filter((word) => large.has(word)).length;
  return common / Math.max(1, one.size + other.size - common);
}

/** Limits of the segments of a passage besides the one that matches. */
const [BEFORE, AFTER] = [1, 3];
/** Words after the match that are enough to understand it, and to answer it if it asks. */
const ENOUGH = 25;

const ENDS = /[.?!…。？！]["'”’)」』]*$/;

/**
 * The segment at `place` with its neighbours: captions split sentences, and answers follow what asks for them.
 * `segments` are in chronological order, with gaps in their ids where some are missing.
 */
function withNeighbours(segments: readonly SpokenSegment[], place: number): SpokenSegment[] {
  const hit = segments[place];
  if (!hit) return [];
  const before = segments
    .slice(Math.max(0, place - BEFORE), place)
    .filter((segment) => isContinued(segment, hit));
  const passage = [...before, hit];
  let words = 0;
  for (const next of segments.slice(place + 1, place + 1 + AFTER)) {
    const last = passage.at(-1)!;
    if (next.id !== last.id + 1 || (words >= ENOUGH && !isContinued(last, next))) break;
    passage.push(next);
    words += wordCount(next.text);
  }
  return passage;
}

function isContinued(segment: SpokenSegment, next: SpokenSegment): boolean {
  return next.id === segment.id + 1 && next.speaker === segment.speaker && !ENDS.test(segment.text.trim());
}
