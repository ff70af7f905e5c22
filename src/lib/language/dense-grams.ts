import { isSyllabic, runsOf } from './dense-scripts.js';

/**
 * The index has not only words but the grams of dense scripts: each two adjacent letters (three, where several are a
 * syllable), with their place in the text. They find a word where the dictionary has divided the text otherwise: a
 * name, a part of a compound.
 */

/** Distinguishes grams from words; no word of PostgreSQL's parser begins with it. */
export const GRAM_MARK = '~';
const GRAM = { letters: 2, syllabic: 3 } as const;

const sizeOf = (letters: string): number => (isSyllabic(letters) ? GRAM.syllabic : GRAM.letters);

/** A `tsquery` for text that contains these letters of a dense script, one after the other. */
export function gramQuery(letters: string): string {
  const all = [...letters];
  const size = sizeOf(letters);
  if (all.length < size) return `'${GRAM_MARK}${letters}':*`;
  const last = all.length - size;
  // Every letter once, as far as the length permits.
  const places = Array.from({ length: Math.ceil(last / size) }, (_, index) => index * size).concat(last);
  return places
    .map((place, index) => {
      const gram = `'${GRAM_MARK}${all.slice(place, place + size).join('')}'`;
      return index === 0 ? gram : `<${place - places[index - 1]!}> ${gram}`;
    })
    .join(' ');
}

/** A `tsquery` for text that contains the letters of dense scripts of another, as far as they are not apart there. */
export const runsQuery = (text: string): string =>
  runsOf(text)
    .map((run) => `(${gramQuery(run)})`)
    .join(' & ');

/** The same as `gramQuery` with each letter `distance` places after the one before. */
export const spreadQuery = (letters: string, distance: number): string =>
  [...letters].map((letter) => `'${GRAM_MARK}${letter}':*`).join(` <${distance}> `);

/** The grams of these letters, as they are in the index: to compare without regard to their order. */
export function gramsOf(letters: string): string[] {
  const all = [...letters];
  const size = sizeOf(letters);
  if (all.length < size) return [];
  return all.slice(size - 1).map((_, place) => `${GRAM_MARK}${all.slice(place, place + size).join('')}`);
}
