import { timingLinesIn } from '../captions/captions-times.js';
import { isNameLike } from '../speaker-labels.js';
import { BEGINNING, forEachLine } from '../transcript-text.js';
import { FILE_LIMITS } from '../transcript.js';
import { isDecimal, isOfDay, secondsOfStamp, TIME } from './time-stamps.js';

/** A line with the time of what somebody says. */
interface TurnLine {
  /** Seconds. */
  readonly start: number;
  /** Null if the line has none. */
  readonly end: number | null;
  /** Null if the line has none. */
  readonly name: string | null;
  /** Where what is said begins in this line; null if that is the next one. */
  readonly textAt: number | null;
  readonly isOfDay: boolean;
  /** Whether the line is written as no sentence is: with brackets, a dash, several spaces or an end. */
  readonly isDistinct: boolean;
  readonly isBracketed: boolean;
  /** Whether it is a line of our own Markdown. */
  readonly isOwn: boolean;
}

/** Such a line, where it begins, and where what is said begins. */
export interface Header extends TurnLine {
  /** Counted from 1. */
  readonly line: number;
  readonly at: number;
  readonly from: number;
}

/** Whether the time is in the line with what is said, or above it. */
export type Layout = 'inline' | 'above';

/** What the lines of a text are. */
export interface Headers extends Readonly<Record<Layout, readonly Header[]>> {
  /** Lines that are not blank. */
  readonly lines: number;
  /** Those of them before the first with a time. */
  readonly before: Readonly<Record<Layout, number>>;
}

/** Lines that programs add, in which nothing is said: where one is, a turn ends. */
const FURNITURE =
  /^(?:Transcribed by https?:|End of transcript\b|whisper_|main: |system_info: |output_\w+: |Detect(?:ed|ing) language|\S.{0,99} (?:started|stopped) transcription\s*$)/i;

export const isFurniture = (line: string): boolean => FURNITURE.test(line);

export function headersIn(text: string): Headers {
  const { padded, unpadded } = timingLinesIn(text);
  const isTeams = unpadded > padded;
  const found: Record<Layout, Header[]> = { inline: [], above: [] };
  const before = { inline: 0, above: 0 };
  let lines = 0;
  forEachLine(text, BEGINNING, (at, to, line, next) => {
    const content = text.slice(at, Math.min(to, at + SHORT_LINE));
    if (content.trim() === '' || isFurniture(content)) return true;
    const header = turnLineOf(content, isTeams);
    // The timing lines of captions are none.
    if (header && (isTeams || header.isBracketed || !content.includes('-->'))) {
      const { textAt } = header;
      const from = textAt === null ? next : at + textAt;
      found[textAt === null ? 'above' : 'inline'].push({ ...header, line, at, from });
    }
    lines += 1;
    for (const layout of ['inline', 'above'] as const) before[layout] += found[layout].length === 0 ? 1 : 0;
    return Math.max(found.inline.length, found.above.length) <= FILE_LIMITS.segments;
  });
  return { ...found, lines, before };
}

/** Characters of a line that are looked at. */
export const SHORT_LINE = 1_000;

const PREFIX = String.raw`^\s{0,20}(?:#{1,6} |[-*+•] |> ?|\| ?)?`;
const MARK = String.raw`(?:\*\*|__|\x60)?`;
const OPEN = String.raw`${MARK}\\?[\[(<{（【]`;
const CLOSE = String.raw`\\?[\])>}）】]${MARK}`;
const TIMES = String.raw` ?(?<start>${TIME})(?: ?(?<arrow>-{1,3}>|→|[-–—~,]|to|bis|\t) ?(?<end>${TIME}))? ?`;
const IN_BRACKETS = `${OPEN}${TIMES}(?:${CLOSE})?`;
const STAMP = `(?:${IN_BRACKETS}|${MARK}${TIMES.replaceAll('?<', '?<bare_')}(?:${CLOSE})?${MARK})`;
const NAME = String.raw`(?:\*\*(?<bold>(?:\\.|[^*\\]){1,400})\*\*|(?<name>\S(?:.{0,98}?\S)?))`;
const GAP = String.raw`(?<gap> ?[-–—|•·@,:：] ?|[ \t\u00a0]{1,10}|(?=\\?[\[(<（【]))`;

/** `**Ada** \[00:00:01\] text`, with all that is special escaped. */
const OWN = /^(?:\*\*(?<bold>(?:\\.|[^*\\]){1,400})\*\* )?\\\[(?<start>\d{2,}:\d{2}:\d{2})\\\] (?=\S)/u;

const [ALONE, TIME_FIRST, NAME_ABOVE, NAME_FIRST] = [
  String.raw`${PREFIX}${STAMP}\s*[-–—|:：]?\s*$`,
  String.raw`${PREFIX}${STAMP}(?:[:：]\s*|\s+|(?<=[\])>}）】*])(?!\s))(?=\S)`,
  String.raw`${PREFIX}${NAME}${MARK}${GAP}${STAMP}\s*[:：]?\s*$`,
  String.raw`${PREFIX}${NAME}[:：]?\s{0,10}(?:${IN_BRACKETS}[:：]?\s{0,10}|${MARK}${TIMES.replaceAll('?<', '?<bare_')}(?:[:：]\s{1,10}|\s[-–—|]\s))(?=\S)`,
].map((source) => new RegExp(source, 'u')) as [RegExp, RegExp, RegExp, RegExp];

/** `[Ada Byron] 10:00:01` of Zoom: the time of day. */
const ZOOM = /^\s*\[.*\] \d{1,2}:\d{2}:\d{2}\s*$/;

/** Reads a line with the time of a turn, and maybe a name, in any order and brackets; null if it is none. */
function turnLineOf(line: string, inMilliseconds: boolean): TurnLine | null {
  if (!/\d/.test(line)) return null;
  for (const pattern of [OWN, ALONE, TIME_FIRST, NAME_ABOVE, NAME_FIRST]) {
    const match = pattern.exec(line);
    const read = match && turnLineIn(match, pattern, inMilliseconds);
    if (read) return read;
  }
  return null;
}

function turnLineIn(
  { 0: all, groups = {} }: RegExpExecArray,
  pattern: RegExp,
  inMilliseconds: boolean,
): TurnLine | null {
  const { bold, name: named = '', gap = '', start: bracketed, bare_end: bareEnd, end: to = bareEnd } = groups;
  const from = bracketed ?? groups['bare_start']!;
  const isBracketed = bracketed !== undefined;
  if (isDecimal(from) && !isBracketed && to === undefined) return null;
  const isNamed = pattern === NAME_ABOVE || pattern === NAME_FIRST;
  const isOwn = pattern === OWN;
  const name = isOwn ? (bold ?? null) : isNamed ? nameIn(bold ?? named) : null;
  const isZoom = ZOOM.test(all);
  const isBold = bold !== undefined;
  const isDistinct = isBracketed || to !== undefined || isBold || /[^ ]|\s{2}/.test(gap) || isZoom;
  const isSure = isDistinct && (pattern !== NAME_FIRST || isBold);
  if (isNamed && !isSure && !isNameLike(name!)) return null;
  const start = secondsOfStamp(from, inMilliseconds);
  const end = to === undefined ? null : secondsOfStamp(to, inMilliseconds);
  if (start === null || (to !== undefined && end === null)) return null;
  const textAt = pattern === ALONE || pattern === NAME_ABOVE ? null : all.length;
  return { start, end, name, textAt, isOfDay: isOfDay(from) || isZoom, isDistinct, isBracketed, isOwn };
}

/** A name without the marks around it. */
function nameIn(written: string): string {
  const name = written
    .replace(/^[*_`\s]+|[*_`\s]+$/g, '')
    .replace(/[\s:：,|–—-]+$/, '')
    .trim();
  if (/^transcript$/i.test(name)) return '';
  return /^\[[^\]]*\]$/.test(name) ? name.slice(1, -1).trim() : name;
}
