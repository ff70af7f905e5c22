import { placeOf, BEGINNING, forEachLine } from '../transcript-text.js';
import type { TranscriptDraft } from '../transcript-draft.js';
import { FILE_LIMITS } from '../transcript.js';
import { isFurniture, SHORT_LINE, type Header, type Layout } from './turn-lines.js';

const JOINED = 'has no time that can be read; it is part of what is said before';
const LEFT_OUT = 'is before the first time, and has none that can be read; it is left out';
const BEGINS_WITH_DIGIT = /^[^\p{L}\d]{0,4}\d/u;
/** A word with a digit and a colon or bracket, at the beginning of a line. */
const BEGINS_LIKE_TIME = /^\W{0,4}(?=\S{0,13}\d)(?:\S{0,6}[:;]\S|[[(<（]?\S{1,13}[\])>）])/;
/** A time in brackets that is not closed, or is none, behind a name. */
const HAS_LIKE_TIME = /[[(<（]\s?\S{0,3}\d\S{0,3}[:;.]?\S{0,8}[\])>）:]|\d[:;.]?\d{2}\\?[\])>）]/;
/** Digits and marks, with at most two letters. */
const LIKE_TIME = /^(?=.{0,40}\d)[^\p{L}]{0,30}(?:\p{L}[^\p{L}]{0,30}){0,2}$/u;
const ENDS_LIKE_TIME = /(?:\d[:;.,]\S?|\d\d\S?|[:;]\s?\S{1,2}\s?\d?)\W{0,3}$/;

/**
 * Notes lines that are like those with a time but are not read as such, so that no turn is lost without a word: where
 * hardly any line is without a time, each that is; elsewhere those that look like a time.
 */
export function noteDoubtfulLines(
  text: string,
  headers: readonly Header[],
  layout: Layout,
  draft: TranscriptDraft,
): void {
  const [{ isOwn }, last] = [headers[0]!, headers.at(-1)!];
  const names = new Set(headers.flatMap(({ name }) => (name ? [name] : [])));
  const starts = new Map(headers.map((header) => [header.at, header]));
  const [doubtful, numbers, others]: [number[], number[], number[]] = [[], [], []];
  let [isAfterBlank, isFirst, end] = [true, true, headers[0]!.from];
  forEachLine(text, BEGINNING, (at, to, line) => {
    const header = starts.get(at);
    // No further turn is read.
    if (!header && at > last.at && headers.length > FILE_LIMITS.segments) return false;
    if (header) {
      isFirst = false;
      end = header.from;
    }
    const content = text.slice(at, Math.min(to, at + SHORT_LINE)).trim();
    // Also the lines of which one header was made.
    const isText = at >= end || isFirst;
    if (content === '') isAfterBlank = true;
    else if (isText && !isFurniture(content)) {
      const isLike = layout === 'inline' ? isLikeInline(content) : isLikeAbove(content, names, isAfterBlank);
      if (isFirst && isLeftOut(content, isLike, isOwn)) draft.skip(placeOf(line), LEFT_OUT);
      else if (!isFirst) {
        if (others.length <= headers.length) others.push(line);
        if (/^\d+$/.test(content)) numbers.push(line);
        else if (isLike) doubtful.push(line);
      }
    }
    if (content !== '') isAfterBlank = false;
    return true;
  });
  const isRare = layout === 'inline' && others.length <= Math.max(1, headers.length / 5);
  // A number before each time is that of the turn.
  if (numbers.length < (headers.length - 1) * 0.8) doubtful.push(...numbers);
  for (const line of isRare ? others : doubtful) draft.skip(placeOf(line), JOINED);
}

/** Our own Markdown begins with a date and a duration. */
const isLeftOut = (line: string, isLike: boolean, isOwn: boolean): boolean =>
  isOwn ? HAS_LIKE_TIME.test(line) : isLike || BEGINS_WITH_DIGIT.test(line);

const isLikeInline = (line: string): boolean => BEGINS_LIKE_TIME.test(line) || HAS_LIKE_TIME.test(line);

function isLikeAbove(line: string, names: ReadonlySet<string>, isAfterBlank: boolean): boolean {
  if (line.length > 120) return false;
  if (LIKE_TIME.test(line)) return true;
  if (!ENDS_LIKE_TIME.test(line) && !HAS_LIKE_TIME.test(line)) return false;
  return isAfterBlank || [...line.matchAll(/\s/g)].some(({ index }) => names.has(line.slice(0, index)));
}
