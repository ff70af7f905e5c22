import { isDense } from '../../../lib/language/dense-scripts.js';
import { SEPARATORS } from '../../../platform/database/text-search.sql.js';

/** Letters and a number: `EIP-7702`, `EIP7702`, `devnet-3`, `GPT-4o`. */
const IDENTIFIER = new RegExp(`^\\p{P}*(\\p{L}{2,})[${SEPARATORS}]{0,2}([0-9]+)\\p{P}*$`, 'u');
const LETTERS = /^\p{L}{2,}$/u;
/** A number like this is as good as the whole identifier: nothing else is called so. */
const TELLING = /^[0-9]{3,}$/;
/** `PR #12`. */
const LEADING = /^[#№]/;
const YEAR = /^(?:19|20)[0-9]{2}$/;

/** `EIP 7702` for `EIP-7702` and `EIP7702`; null for any other text. */
export function identifierOf(text: string): string | null {
  const [, letters, number] = IDENTIFIER.exec(text) ?? [];
  return letters && number ? `${letters} ${number}` : null;
}

/** The identifier that two words form, such as `EIP` and `7702`; not `May` and `2026`, nor `phase` and `2`. */
export function joinedIdentifier(before: string, after: string): string | null {
  const number = after.replace(LEADING, '');
  return isSpaced(before) && isTelling(number) ? `${before} ${number}` : null;
}

/** Whether it is a word of letters of a script with spaces between words. */
const isSpaced = (text: string): boolean => LETTERS.test(text) && !isDense(text);

/** Whether a number alone is enough to find an identifier. */
export const isTelling = (number: string): boolean => TELLING.test(number) && !YEAR.test(number);

/** Other spellings of a word or phrase: `Mueller` for `Müller`, `Müller` for `Mueller`, `Strasse` for `Straße`. */
export function spellingsOf(text: string): string[] {
  const spelledOut = replaced(text, SPELLED_OUT);
  const contracted = replaced(text, CONTRACTED);
  return [...new Set([text, spelledOut, contracted, replaced(contracted, SHARP), replaced(text, SHARP)])];
}

type Spelling = readonly (readonly [from: RegExp, to: string])[];

const SPELLED_OUT: Spelling = [
  [/[äæ]/giu, 'ae'],
  [/[öøœ]/giu, 'oe'],
  [/ü/giu, 'ue'],
  [/å/giu, 'aa'],
  [/ß/gu, 'ss'],
];
const CONTRACTED: Spelling = [
  [/ae/giu, 'ä'],
  [/oe/giu, 'ö'],
  [/ue/giu, 'ü'],
];
const SHARP: Spelling = [[/ss/gu, 'ß']];

function replaced(text: string, spelling: Spelling): string {
  return spelling.reduce((given, [from, to]) => given.replace(from, to), text);
}

/** Other spellings of a word with hyphens: its parts, and those of letters in one word. */
export function hyphenations(
  text: string,
): { readonly apart: string; readonly joined: string | null } | null {
  if (!HYPHENATED.test(text)) return null;
  return {
    apart: text.replaceAll('-', ' '),
    joined: /\p{N}/u.test(text) ? null : text.replaceAll('-', ''),
  };
}

/** Not of single letters: `S-3` is one word. */
const HYPHENATED = /^(?:\p{L}{2}[\p{L}\p{N}]*|\p{N}+)(?:-(?:\p{L}{2}[\p{L}\p{N}]*|\p{N}+))+$/u;

/** What two adjacent words become when written as one; null if one of them is no word of letters. */
export function compoundOf(before: string, after: string): string | null {
  return isSpaced(before) && isSpaced(after) ? `${before}${after}` : null;
}

/** A text as the index spells it (`spelled` in `text-search.sql.ts`). */
export function asIndexed(text: string): string {
  return text
    .replace(BEFORE_NUMBER, '$1 ')
    .replace(AFTER_LETTER, '$1')
    .replace(THOUSANDS, '$1')
    .replace(AFTER_NUMBER, '$1 ');
}

const BEFORE_NUMBER = new RegExp(`(\\p{L}{2})[${SEPARATORS}]{0,2}(?=[0-9])`, 'gu');
const AFTER_LETTER = new RegExp(`(?<![\\p{L}\\p{N}_])(\\p{L})[${SEPARATORS}](?=[0-9])`, 'gu');
const AFTER_NUMBER = /([0-9]{3})(?=\p{L}{2})/gu;
const THOUSANDS = /([0-9]),(?=[0-9]{3}(?![0-9]))/g;
