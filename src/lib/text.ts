/** Length in Unicode code points, the unit of the contract's limits. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Whether the text has at most `max` Unicode code points; text that is obviously longer is not counted. */
export function hasAtMost(max: number, text: string): boolean {
  // A code point is one or two UTF-16 units.
  return text.length <= max || (text.length <= 2 * max && codePointLength(text) <= max);
}

/** Whether PostgreSQL can store the text unchanged: no NUL characters, no unpaired surrogates. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Something before and after an `@`, without whitespace: only a mail server knows more. */
export const isEmailAddress = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max && /^[^\s@]+@[^\s@]+$/.test(value) && isLine(value);

/** An address that emails can be sent to: none that a mail server or library would read as several, or as a name. */
export const isPlainAddress = (value: string, max: number): boolean =>
  isEmailAddress(value, max) && !/[\p{C}<>()[\]",;:\\]/u.test(value);

/** A language code by BCP 47, such as `en` or `pt-BR`. */
export const isLanguageCode = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 35 && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(value);

/** Letters of scripts in which a joiner, which is invisible, changes how its neighbours are written. */
const JOINED = `[${'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('')}]`;
const EMOJI = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F]';

/**
 * Characters that nobody sees, among them those that change the direction of what follows. Not those that do something
 * where they are: joiners within words and emoji, forms of an emoji or ideograph, the letters of a flag.
 */
const INVISIBLE = new RegExp(
  [
    `\\u200C(?!(?<=${JOINED}.)${JOINED})`,
    `\\u200D(?<!(?:${JOINED}|${EMOJI})\\u200D)`,
    '[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}](?<![\\p{Emoji}\\p{Sm}\\p{Script=Han}\\p{Script=Myanmar}].)',
    '[\\u180B-\\u180F](?<!\\p{Script=Mongolian}.)',
    '[\\u{E0020}-\\u{E007F}](?<!\\u{1F3F4}[\\u{E0020}-\\u{E007E}]{0,6}.)',
    '(?![\\u180B-\\u180F\\u200C\\u200D\\uFE00-\\uFE0F\\u{E0020}-\\u{E007F}\\u{E0100}-\\u{E01EF}])[\\p{DI}\\uFFF9-\\uFFFB]',
  ].join('|'),
  'gsu',
);
const ASCII_LINE = /^[ -~]*$/;

/** A name, title or other line as it is kept: composed (NFC), on one line, trimmed, without what is invisible. */
export function asLine(text: string): string {
  if (ASCII_LINE.test(text)) return text.trim();
  const visible = text.replace(/[\t-\r\u0085\u2028\u2029]+/g, ' ').replace(INVISIBLE, '');
  return visible.normalize('NFC').trim();
}

/** Whether a line (`asLine`) has `min` (0 or 1) to `max` code points, and none that controls a terminal. */
export const isLine = (text: string, { min = 0, max = Infinity } = {}): boolean =>
  text.length >= min && hasAtMost(max, text) && isStorable(text) && !/\p{Cc}/u.test(text);

/** One line that PostgreSQL can store, of at most `max` code points, of untrusted text. */
export function oneLine(text: string, max: number): string {
  const clean = asLine(text.toWellFormed().replace(/[\p{Cc}\s]+/gu, ' '));
  return [...clean].slice(0, max).join('').trim();
}

/** The text, or its beginning followed by `…`, with at most `max` code points. */
export function shortened(text: string, max: number): string {
  if (hasAtMost(max, text)) return text;
  const kept = Array.from(text.slice(0, max * 2)).slice(0, max - 1);
  return `${kept.join('').trimEnd()}…`;
}

const QUOTED_CHARACTERS = 40;

/** The beginning of untrusted text, for use in a message: printable, on one line, at most 40 characters. */
export function printable(text: string): string {
  const characters = Array.from(text.slice(0, 2 * QUOTED_CHARACTERS + 2).toWellFormed());
  const beginning = characters.slice(0, QUOTED_CHARACTERS).join('');
  return beginning.replace(/[\p{C}\p{Z}]/gu, ' ') + (characters.length > QUOTED_CHARACTERS ? '...' : '');
}

export const quoteForMessage = (text: string): string => `"${printable(text)}"`;

/** `1 recording`, `2 recordings`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Characters that control a terminal, break a line, or change the direction of what follows. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Untrusted text for one line of a terminal, in full length. */
export const singleLine = (text: string): string => text.toWellFormed().replace(CONTROLS, ' ');

/** The same JSON, safe to print: `JSON.stringify` escapes only some of these characters. */
export const escapeControls = (json: string): string =>
  json.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
