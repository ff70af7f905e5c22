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

/** What two adjacent words become when written as one; null if one of them is not a word of letters. */
export function compoundOf(before: string, after: string): string | null {
  return isSpaced(before) && isSpaced(after) ? `${before}${after}` : null;
}

/** Numbers without separators of groups, as the index has them (`spelled` in `text-search.sql.ts`), in one word. */
export const ungrouped = (text: string): string =>
  text.replace(GROUPED, (number) => number.replace(/[^0-9]/g, ''));

const GROUPED =
  /(?<![0-9])[0-9]{1,3}(?:(?:[,'’\u00a0\u2009\u202f][0-9]{3}){1,6}|(?:\.[0-9]{3}){2,6}|(?: [0-9]{3}){2,6})(?![0-9])/g;

/** How a text may have a number, as a `tsquery` of its groups; null for a short one and any other word. */
export function groupsOf(text: string): string | null {
  if (!/^[0-9]{4,20}$/.test(text)) return null;
  const groups = text.split(/(?=(?:[0-9]{3})+$)/);
  return `${groups.map((group) => `'${group}'`).join(' <-> ')} | '${groups.join('.')}'`;
}

/** Scripts that write short words and articles together with the next word, and these, in their order. */
const PREFIXES = [
  { word: /^[א-ת]{2,}$/u, before: [['ו'], ['ש', 'כש'], ['ה', 'ב', 'ל', 'מ', 'כ']] },
  {
    word: /^[ء-ي]{2,}$/u,
    before: [
      ['و', 'ف'],
      ['ب', 'ك'],
      ['ال', 'لل', 'ل'],
    ],
  },
].map(({ word, before }) => ({
  word,
  prefixes: before.reduce(
    (all, next) => all.flatMap((begun) => ['', ...next].map((prefix) => begun + prefix)),
    [''],
  ),
}));
/** Letters that a word has without its prefix. */
const SHORTEST_WORD = 3;

/** A word with other prefixes than it was typed with, and without, as a `tsquery`; null in other scripts. */
export function prefixedOf(text: string): string | null {
  const letters = text.replace(/[\p{M}ـ]/gu, '');
  const found = PREFIXES.find(({ word }) => word.test(letters));
  if (!found) return null;
  const bare = found.prefixes
    .filter((prefix) => letters.startsWith(prefix) && letters.length - prefix.length >= SHORTEST_WORD)
    .map((prefix) => letters.slice(prefix.length));
  const words = [letters, ...bare].flatMap((word) => found.prefixes.map((prefix) => `'${prefix}${word}'`));
  return [...new Set(words)].join(' | ');
}
