/** A number as it is written, with what separates its digits: `10,000`, `1.5`, `10:30`. */
const NUMBER = /\p{Nd}+(?:[.,:'’]\p{Nd}+)*/gu;
/** Scripts without spaces between words, or with particles that follow a word without one. */
const NOT_APART =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Numbers below ten are spelled out too often to be compared. */
const LEAST_DIGITS = 2;

/** Words without case, accents and punctuation, one space apart. */
export function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}'’]+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether plain words occur in a plain text, as whole words where words are written apart. */
export function containsWords(text: string, words: string): boolean {
  if (words === '') return false;
  return NOT_APART.test(words) ? text.includes(words) : ` ${text} `.includes(` ${words} `);
}

/** The numbers of a text that have at least two digits, as digits. */
export function numbersIn(text: string): string[] {
  return [...text.matchAll(NUMBER)]
    .map(([number]) => number.replace(/\P{Nd}/gu, ''))
    .filter((digits) => digits.length >= LEAST_DIGITS);
}
