import { quoteForMessage } from '../../text.js';
import { headOf, JOINER } from '../transcript-text.js';
import { FILE_LIMITS } from '../transcript.js';
import { countText } from '../../amounts.js';

export interface Timing {
  readonly start: number;
  readonly end: number;
}

/** `00:01:02.500`, `01:02.500`, the comma of SRT, and without a fraction; `120:00.000` is 120 minutes. */
const TIME = /^(?:(?:(\d{1,9}):)?(\d{1,2})|(\d{3,9})):(\d{1,2})(?:[.,](\d{1,9}))?$/;
const TIMING_LINE = /^\s*\d+:\S*\s*-->/;
/** The end time, with a setting of the cue right behind it. */
const GLUED_SETTING = /^([\d:.,]+)[a-z]+:/;
const ARROW = '-->';

/** Times without leading zeros, as in the WebVTT of Microsoft Teams. */
const UNPADDED = /^\d{1,3}:(?:\d:\d{1,2}|\d\d:\d)\.\d{1,3} -->/m;
/** A fraction with a zero that no decimal number needs. */
const MILLISECONDS = /^\d{1,3}:\d{1,2}:\d{1,2}\.(?:\d\d0 -->|\d{1,3} --> \d{1,3}:\d{1,2}:\d{1,2}\.\d\d0\b)/m;

/** Whether fractions count milliseconds without leading zeros: `0:0:2.90` is then 2.09 seconds. */
export function countsMilliseconds(text: string): boolean {
  const head = headOf(text);
  return UNPADDED.test(head) && MILLISECONDS.test(head);
}

const TIMES = /^[ \t]{0,20}(\d{1,9}:[\d:.,]{1,20})[ \t]{0,20}-->[ \t]{0,20}([\d:.,]{0,20})/gm;

/**
 * How many lines of a text are timing lines, how many of them have leading zeros, as in captions, and how many lack
 * these, as only Microsoft Teams writes it: `0:0:2.90 --> 0:0:4.480`.
 */
export function timingLinesIn(text: string): { count: number; padded: number; unpadded: number } {
  let [count, padded, unpadded] = [0, 0, 0];
  for (const [, from, to] of text.matchAll(TIMES)) {
    count += 1;
    const isPadded = /:0\d/.test(`${from} ${to}`);
    if (!isPadded && /:\d(?:[:.,]|$)/.test(from!)) unpadded += 1;
    else if (isPadded || !/^\d:/.test(from!)) padded += 1;
  }
  return { count, padded, unpadded };
}

export const hasArrow = (line: string): boolean => line.includes(ARROW);

/** Whether a line begins the next cue: a time and an arrow. Any other arrow is text. */
export const isTimingLine = (line: string): boolean => hasArrow(line) && TIMING_LINE.test(line);

/** Two times and something like an arrow. */
const LIKE_TIMING =
  /^\W{0,3}\S?\d[\d:.,;]{3,30}\S?\s{0,9}\S{0,4}\s?\S{0,3}\s{0,9}\S?\d[\d:.,;]{3,30}\S?\W{0,3}$/;

/** Whether a line in the text of a cue is meant as a timing line, but is none. */
export function isBrokenTiming(line: string, isAfterNumber: boolean): boolean {
  if (!isAfterNumber && !hasArrow(line)) return false;
  const isLike = LIKE_TIMING.test(line) || (isAfterNumber && hasArrow(line) && /\d:\d/.test(line));
  return isLike && !line.includes(JOINER);
}

/** Parses a timing line without its settings; a string is the error. `inMilliseconds`: see `countsMilliseconds`. */
export function readTiming(line: string, inMilliseconds: boolean): Timing | string {
  const arrow = line.indexOf(ARROW);
  const from = line.slice(0, arrow).trim();
  const rest = line.slice(arrow + ARROW.length).trim();
  const [to = ''] = rest.split(/\s/, 1);
  const start = secondsOf(from, inMilliseconds);
  const end = secondsOf(GLUED_SETTING.exec(to)?.[1] ?? to, inMilliseconds);
  if (start === null || end === null) return `${quoteForMessage(start === null ? from : to)} is not a time`;
  if (end >= FILE_LIMITS.time) return `times must be below ${countText(FILE_LIMITS.time)} seconds`;
  return end < start ? 'ends before it starts' : { start, end };
}

export function secondsOf(text: string, inMilliseconds: boolean): number | null {
  const match = TIME.exec(text);
  if (!match) return null;
  const [, hours, shortMinutes, longMinutes, seconds, fraction = ''] = match;
  const minutes = shortMinutes ?? longMinutes;
  if ((hours !== undefined && Number(minutes) > 59) || Number(seconds) > 59) return null;
  const digits = inMilliseconds ? fraction.padStart(3, '0') : fraction;
  const milliseconds = Math.round(Number(`0.${digits || '0'}`) * 1000);
  return (
    (Number(hours ?? 0) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + milliseconds) / 1000
  );
}

/** `01:02:03.500`, with the decimal separator of the format. */
export function cueTime(seconds: number, mark: '.' | ','): string {
  const milliseconds = Math.round(seconds * 1000);
  return `${clock(Math.floor(milliseconds / 1000))}${mark}${String(milliseconds % 1000).padStart(3, '0')}`;
}

/** `01:02:03`, rounded down. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
