import { isDense } from '../language/dense-scripts.js';
import { capitalized } from './extractive-content.js';
import type { Cues } from './extractive-cues.js';
import type { SpokenSegment } from '../transcript-formats/transcript.js';

export interface Sentence {
  /** Verbatim, except for fillers cut at both ends. */
  readonly text: string;
  /** Seconds: start of the segment in which it begins, end of the one in which it ends. */
  readonly start: number;
  readonly end: number;
  readonly speaker: string;
  /** Ids of the segments that it is part of. */
  readonly segmentIds: readonly number[];
  /** Whether it is a complete sentence, neither cut nor broken off. */
  readonly isWhole: boolean;
}

/** The joined segments of one speaker, and the one of each character. */
interface Run {
  text: string;
  readonly parts: SpokenSegment[];
}

/** Longest pause within a run, in seconds: after a full stop, and within a sentence. */
const SHORT_BREAK = 2;
const LONGEST_BREAK = 8;
const LONGEST_RUN = 10_000;
/** Longer sentences are cut, preferably at the end of a segment. In characters. */
const LONGEST = 300;
const ENDS = /[.?!。？！]["'”»)]*$/u;
const ABBREVIATED =
  /(?:^|[\s(])(?:\p{L}|mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|nr|z\.b|bzw|ca|inc)\.\s*$/iu;
/** A character of a dense script carries as much as so many. */
const DENSITY = 2.5;

/** Joins captions, which cut sentences apart, into sentences. Text without punctuation is split at captions. */
export function toSentences(
  segments: readonly SpokenSegment[],
  language: string | null,
  cues: Cues,
): Sentence[] {
  // Greek alone ends its sentences otherwise.
  const locale = /^el\b/i.test(language ?? '') ? 'el' : 'en';
  const splitter = new Intl.Segmenter(locale, { granularity: 'sentence' });
  const clean = cleaner(cues);
  const found: Sentence[] = [];
  for (const run of toRuns(segments, cues))
    for (const [from, to] of bounds(run, splitter)) {
      const text = clean(run.text.slice(from, to));
      if (!/[\p{L}\p{N}]/u.test(text)) continue;
      const parts = [...new Set(run.parts.slice(from, to))];
      const [first, last] = [parts[0]!, parts.at(-1)!];
      const isWhole = !text.endsWith('…') && isBeginning(run.text, from);
      const segmentIds = parts.map(({ id }) => id);
      found.push({ text, start: first.start, end: last.end, speaker: first.speaker, segmentIds, isWhole });
    }
  return found;
}

function isBeginning(text: string, from: number): boolean {
  const before = text.slice(Math.max(from - 4, 0), from).trimEnd();
  return (before === '' || ENDS.test(before)) && !/^\P{L}*\p{Ll}/u.test(text.slice(from, from + 8));
}

function toRuns(segments: readonly SpokenSegment[], { fillers, joiners }: Cues): Run[] {
  const runs: Run[] = [];
  const known = new Set([...fillers, ...joiners]);
  let previous: SpokenSegment | null = null;
  let heard = 0;
  for (const segment of segments) {
    const text = segment.text.replace(/\s+/gu, ' ').trim();
    if (text === '') continue;
    const silence = segment.start - heard;
    heard = segment.end;
    const isSame = previous?.speaker === segment.speaker;
    // Someone else's "okay" does not interrupt a sentence.
    if (!isSame && isFiller(text, known)) continue;
    const longest = ENDS.test(previous?.text.trimEnd().slice(-4) ?? '') ? SHORT_BREAK : LONGEST_BREAK;
    let run = runs.at(-1);
    if (!run || !isSame || silence > longest || run.text.length >= LONGEST_RUN) {
      run = { text: '', parts: [] };
      runs.push(run);
    }
    run.text += `${text} `;
    while (run.parts.length < run.text.length) run.parts.push(segment);
    previous = segment;
  }
  return runs;
}

function isFiller(text: string, fillers: ReadonlySet<string>): boolean {
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{M}\p{N}'-]+/gu) ?? [];
  return fillers.has(words.join(' ')) || words.every((word) => fillers.has(word));
}

function bounds(run: Run, splitter: Intl.Segmenter): [number, number][] {
  const found: [number, number][] = [];
  let from = 0;
  for (const { index, segment } of splitter.segment(run.text)) {
    const to = index + segment.length;
    if (to < run.text.length && ABBREVIATED.test(segment.slice(-12))) continue;
    found.push(...shortened(run, from, to));
    from = to;
  }
  return found;
}

/** The range itself or, if it is too long, pieces of it: segments if possible, otherwise words. */
function shortened({ text, parts }: Run, from: number, to: number): [number, number][] {
  const most = isDense(text.slice(from, from + 50)) ? LONGEST / DENSITY : LONGEST;
  const pieces: [number, number][] = [];
  let begin = from;
  while (to - begin > most) {
    const last = begin + most;
    let end = begin + Math.floor(most / 4);
    while (end < last && parts[end] === parts[end - 1]) end += 1;
    if (end === last) {
      const space = text.lastIndexOf(' ', last) + 1;
      const isPair = /[\uD800-\uDBFF]/.test(text[last - 1]!);
      end = space > begin + most / 2 ? space : last - Number(isPair);
    }
    pieces.push([begin, end]);
    begin = end;
  }
  return [...pieces, [begin, to]];
}

/** Cuts fillers at both ends and marks sentences that break off. */
function cleaner({ fillers, joiners }: Cues): (text: string) => string {
  const [either, begun] = [[...fillers, ...joiners], joiners].map((words) => words.join('|') || '(?!)');
  const opening = `^(?:(?:${either})\\s*[,.…;:!?]+\\s*|(?:${begun})\\s+|[,.…;:!?\\s]+)+`;
  const closing = `(?:[,…]\\s*(?:${either})\\s*[.?!…,]*)+$`;
  const ends = [opening, closing, '[,;:…\\s-]+$'].map((end) => new RegExp(end, 'iu'));
  return (text) => {
    const said = ends.reduce((rest, end) => rest.replace(end, ''), text.trim());
    if (said === '') return '';
    const whole = /[.?!]/.test(text.trimEnd().slice(-5)) && !/…/.test(text.slice(-3));
    return capitalized(said) + (ENDS.test(said) ? '' : whole ? '.' : '…');
  };
}
