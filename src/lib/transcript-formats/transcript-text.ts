import { FILE_LIMITS } from './transcript.js';

/** Normalizes a text to what every writer can write: lines end in `\n`, none is blank, and the text is trimmed. */
export const normalizeText = (text: string): string =>
  linesIn(text)
    .filter((line) => line.trim() !== '')
    .join('\n')
    .trim();

export const linesIn = (text: string): string[] => text.split(/\r\n|\r|\n/);

/** A text on one line, with single spaces, as speaker labels are. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The first lines of a text, by which its format is recognized. */
export const headOf = (text: string): string => text.slice(0, 64 * 1024);

export const placeOf = (line: number): string => `line ${line}`;

/** Characters that are spoken in a second: about 150 words a minute. */
const SPEED = 15;

/** How long it takes to say a text, in seconds; at least one. */
export const secondsToSay = (text: string): number =>
  Math.max(1, Math.round((Math.min(text.length, FILE_LIMITS.markup) / SPEED) * 1000) / 1000);

/** WORD JOINER: has no width and is not whitespace. */
export const JOINER = '\u2060';

/** The beginnings of tags, entities, overrides, arrows, times and labels, and marks of another speaker. */
const MISREAD = /<(?=[a-z/\d])|&(?=#?\w+;)|\{(?=\\)|--(?=>)|:(?=\s)|>(?=>)|^\[(?=\d)/gi;
const JOINED = /([<&{:：>[(]|--)\u2060|^\u2060/g;

/** SRT has no escapes, so an invisible character breaks up what would be read as markup. */
export const withJoiners = (text: string): string => text.replace(MISREAD, `$&${JOINER}`);

export const withoutJoiners = (text: string): string => text.replace(JOINED, '$1');

/** A position in a text, at the beginning of a line. */
export interface TextPosition {
  readonly at: number;
  /** Counted from 1. */
  readonly line: number;
}

export const BEGINNING: TextPosition = { at: 0, line: 1 };
const [LF, CR] = [0x0a, 0x0d];

/**
 * Calls back with the bounds of each line, its number and the start of the next one. The callback stops by returning
 * false. Compares character codes instead of matching a pattern: twenty million empty lines take tenths of a second.
 */
export function forEachLine(
  text: string,
  { at, line }: TextPosition,
  visit: (from: number, to: number, line: number, next: number) => boolean,
): void {
  for (let [from, number] = [at, line]; from < text.length; number += 1) {
    let to = from;
    while (to < text.length && text.charCodeAt(to) !== LF && text.charCodeAt(to) !== CR) to += 1;
    const next = to + (text.charCodeAt(to) === CR && text.charCodeAt(to + 1) === LF ? 2 : 1);
    if (!visit(from, to, number, Math.min(next, text.length))) return;
    from = next;
  }
}
