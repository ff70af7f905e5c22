import type { Cues } from './extractive-cues.js';
import type { SpokenSegment } from '../transcript-formats/transcript.js';

/** One sentence of one speaker. */
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

/** The joined segments of one speaker, and the offset of each. */
interface Run {
  text: string;
  readonly parts: { readonly offset: number; readonly segment: SpokenSegment }[];
}

/** Longest pause within a run, in seconds: after a full stop, and within a sentence. */
const SHORT_BREAK = 2;
const LONGEST_BREAK = 8;
/** Most characters in a run. */
const LONGEST_RUN = 10_000;
/** Longer sentences are cut, preferably at the end of a segment. In characters. */
const LONGEST = 300;
/** Shortest piece worth cutting off, in characters. */
const LONG_ENOUGH = 70;
const ENDS = /[.?!。？！]["'”»)]*$/u;
const ABBREVIATED =
  /(?:^|[\s(])(?:\p{L}|mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|nr|z\.b|bzw|ca|inc)\.\s*$/iu;
/** Scripts in which a character carries two or three times as much. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Joins captions, which cut sentences apart, into sentences. Text without punctuation is split at captions. */
export function toSentences(
  segments: readonly SpokenSegment[],
  language: string | null,
  cues: Cues,
): Sentence[] {
  const splitter = new Intl.Segmenter(segmenterLocale(language), { granularity: 'sentence' });
  const clean = cleaner(cues);
  const found: Sentence[] = [];
  for (const run of toRuns(segments, cues)) {
    for (const [from, to] of bounds(run, splitter)) {
      const text = clean(run.text.slice(from, to));
      if (!/[\p{L}\p{N}]/u.test(text)) continue;
      const parts = run.parts
        .slice(partIndexAt(run, from + run.text.slice(from, to).search(/\S/u)), partIndexAt(run, to - 1) + 1)
        .map(({ segment }) => segment);
      const [first, last] = [parts[0]!, parts.at(-1)!];
      const isWhole = !text.endsWith('…') && isBeginning(run.text, from);
      const segmentIds = parts.map(({ id }) => id);
      found.push({ text, start: first.start, end: last.end, speaker: first.speaker, segmentIds, isWhole });
    }
  }
  return found;
}

function isBeginning(text: string, from: number): boolean {
  const before = text.slice(Math.max(from - 4, 0), from).trimEnd();
  return (before === '' || ENDS.test(before)) && !/^\P{L}*\p{Ll}/u.test(text.slice(from, from + 8));
}

function segmenterLocale(language: string | null): string {
  try {
    return Intl.Segmenter.supportedLocalesOf(language ?? 'en')[0] ?? 'en';
  } catch (error) {
    // The code comes from a client and may be invalid.
    if (error instanceof RangeError) return 'en';
    throw error;
  }
}

function toRuns(segments: readonly SpokenSegment[], cues: Cues): Run[] {
  const runs: Run[] = [];
  const fillers = new Set([...cues.fillers, ...cues.joiners]);
  let previous: SpokenSegment | null = null;
  let heard = 0;
  for (const segment of segments) {
    const text = segment.text.replace(/\s+/gu, ' ').trim();
    if (text === '') continue;
    const silence = segment.start - heard;
    heard = segment.end;
    // Someone else's "okay" does not interrupt a sentence.
    if (previous?.speaker !== segment.speaker && isFiller(text, fillers)) continue;
    const run = runs.at(-1);
    const goesOn =
      run !== undefined &&
      previous !== null &&
      previous.speaker === segment.speaker &&
      run.text.length < LONGEST_RUN &&
      silence <= (ENDS.test(previous.text.slice(-4).trimEnd()) ? SHORT_BREAK : LONGEST_BREAK);
    if (goesOn) {
      run.parts.push({ offset: run.text.length + 1, segment });
      run.text += ` ${text}`;
    } else runs.push({ text, parts: [{ offset: 0, segment }] });
    previous = segment;
  }
  return runs;
}

function isFiller(text: string, fillers: ReadonlySet<string>): boolean {
  if (text.length > 30) return false;
  const said = text
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/[^\p{L}\p{M}\p{N}'\s-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return fillers.has(said) || said.split(' ').every((word) => fillers.has(word));
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
  return from < run.text.length ? [...found, ...shortened(run, from, run.text.length)] : found;
}

/** The range itself or, if it is too long, readable pieces of it. */
function shortened(run: Run, from: number, to: number): [number, number][] {
  const unit = DENSE.test(run.text.slice(from, from + 50)) ? 2.5 : 1;
  const [most, enough] = [LONGEST / unit, LONG_ENOUGH / unit];
  if (to - from <= most) return [[from, to]];
  const pieces: [number, number][] = [];
  let begin = from;
  for (let index = partIndexAt(run, from) + 1; index < run.parts.length; index += 1) {
    const { offset, segment } = run.parts[index]!;
    if (offset >= to) break;
    const paused = segment.start - run.parts[index - 1]!.segment.end > 1;
    if (offset - begin < enough && !(paused && offset - begin > enough / 2)) continue;
    pieces.push(...words(run.text, begin, offset, most));
    begin = offset;
  }
  return [...pieces, ...words(run.text, begin, to, most)];
}

/** Cuts between words, if there is no better place. */
function words(text: string, from: number, to: number, most: number): [number, number][] {
  const pieces: [number, number][] = [];
  let begin = from;
  while (to - begin > most) {
    const space = text.lastIndexOf(' ', begin + most);
    const hard = begin + Math.floor(most);
    const end =
      space > begin + most / 2 ? space + 1 : hard - (/[\uD800-\uDBFF]/.test(text[hard - 1]!) ? 1 : 0);
    pieces.push([begin, end]);
    begin = end;
  }
  return [...pieces, [begin, to]];
}

function partIndexAt(run: Run, offset: number): number {
  let [low, high] = [0, run.parts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (run.parts[middle]!.offset <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function either(phrases: readonly string[]): string {
  return phrases.join('|') || '(?!)';
}

/** Cuts fillers at both ends and marks sentences that break off. */
function cleaner({ fillers, joiners }: Cues): (text: string) => string {
  const opening = new RegExp(
    `^(?:(?:${either([...fillers, ...joiners])})\\s*[,.…;:!?]+\\s*|(?:${either(joiners)})\\s+|[,.…;:!?\\s]+)`,
    'iu',
  );
  const closing = new RegExp(`[,…]\\s*(?:${either([...fillers, ...joiners])})\\s*[.?!…,]*$`, 'iu');
  return (text) => {
    let said = text.trim();
    for (let rest = said; (rest = said.replace(opening, '')) !== said;) said = rest;
    for (let rest = said; (rest = said.replace(closing, '').trimEnd()) !== said;) said = rest;
    said = said.replace(/[,;:…\s-]+$/u, '');
    if (said === '') return '';
    const whole = ENDS.test(said) || (/[.?!]/.test(text.slice(-6)) && !/…/.test(text.slice(-3)));
    return said.charAt(0).toUpperCase() + said.slice(1) + (ENDS.test(said) ? '' : whole ? '.' : '…');
  };
}
