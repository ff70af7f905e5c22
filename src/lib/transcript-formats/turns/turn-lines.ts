import { isNameLike } from '../speaker-labels.js';
import { isDecimal, isOfDay, secondsOfStamp, TIME } from './time-stamps.js';

/** A line with the time of what somebody says. */
export interface TurnLine {
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

/**
 * Reads a line that gives the time of a turn, and maybe a name, in any order and brackets; null if it is none.
 * `inMilliseconds`: see `countsMilliseconds`.
 */
export function turnLineOf(line: string, inMilliseconds: boolean): TurnLine | null {
  if (!/\d/.test(line)) return null;
  for (const pattern of [OWN, ALONE, TIME_FIRST, NAME_ABOVE, NAME_FIRST]) {
    const match = pattern.exec(line);
    const read = match && turnLineIn(match, pattern, inMilliseconds);
    if (read) return read;
  }
  return null;
}

function turnLineIn(match: RegExpExecArray, pattern: RegExp, inMilliseconds: boolean): TurnLine | null {
  const groups = match.groups!;
  const [all] = match;
  const isBracketed = groups['start'] !== undefined;
  const from = groups['start'] ?? groups['bare_start']!;
  const to = groups['end'] ?? groups['bare_end'];
  const named = groups['bold'] ?? groups['name'];
  if (isDecimal(from) && !isBracketed && to === undefined) return null;
  const isNamed = pattern === NAME_ABOVE || pattern === NAME_FIRST;
  const isOwn = pattern === OWN;
  const name = isOwn ? (named ?? null) : isNamed ? nameIn(named ?? '') : null;
  const gap = groups['gap'] ?? '';
  const isDistinct =
    isBracketed ||
    to !== undefined ||
    groups['bold'] !== undefined ||
    /[^ ]|\s{2}/.test(gap) ||
    ZOOM.test(all);
  const isSure = isDistinct && (pattern !== NAME_FIRST || groups['bold'] !== undefined);
  if (isNamed && !isSure && !isNameLike(name!)) return null;
  const start = secondsOfStamp(from, inMilliseconds);
  const end = to === undefined ? null : secondsOfStamp(to, inMilliseconds);
  if (start === null || (to !== undefined && end === null)) return null;
  return {
    start,
    end,
    name,
    textAt: pattern === ALONE || pattern === NAME_ABOVE ? null : all.length,
    isOfDay: isOfDay(from) || ZOOM.test(all),
    isDistinct,
    isBracketed,
    isOwn,
  };
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
