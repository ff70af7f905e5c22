import type { EntityManager } from 'typeorm';
import { isDense } from '../../../lib/language/dense-scripts.js';
import { editDistance } from '../../../lib/nearest-name.js';
import { findSimilarWords, findUnits, SHORTEST, type SimilarWord } from './found-recordings.queries.js';
import type { Search } from './found.sql.js';
import { prepareUnits, type PreparedUnit } from './units.queries.js';
import { isPlain, type SearchUnit } from '../query/search-unit.js';

/** The same in dense scripts, where one letter more or less makes another word of a short one. */
const SHORTEST_DENSE = 4;
/** Words with trigrams in common that are looked for in what the caller can read: the nearest. */
const MAX_NEAR = 8;
const OTHER_BEGINNING = 0.5;
/** A longer word may have two typing errors. */
const LONG = 8;

/**
 * Finds, for each word of the query that occurs in nothing the caller can read, the most similar word that does. Words
 * that occur elsewhere in the scope are never named.
 */
export async function findCorrections(
  manager: EntityManager,
  search: Search,
  units: readonly PreparedUnit[],
): Promise<ReadonlyMap<string, string>> {
  const found = await findUnits(manager, search, units);
  const configs = new Set(units.map(({ config }) => config)).size;
  // A stop word is missing among the units of its configuration.
  const isUnknown = (number: number): boolean =>
    units.filter(({ unit }) => unit === number).length === configs && !found.has(number);
  const unknown = search.query
    .flat()
    .filter((unit, number) => isWord(unit) && isUnknown(number))
    .map(({ text }) => text.toLowerCase());
  if (unknown.length === 0) return new Map();
  const scopes = search.readable.map(({ id }) => id);
  const similar = await similarWords(manager, [...new Set(unknown)], scopes);
  const words = similar.map(({ word }): SearchUnit[] => [{ kind: 'words', text: word, excluded: false }]);
  const known = await findUnits(manager, search, await prepareUnits(manager, words, scopes));
  const best = new Map<string, string>();
  for (const [number, { text, word }] of similar.entries()) {
    // Of a word with hyphens, the parts are better than nothing, even if they do not all occur together.
    if ((known.has(number) || !LETTERS.test(text)) && !best.has(text)) best.set(text, word);
  }
  return new Map(
    search.query.flat().flatMap(({ text }) => {
      const word = best.get(text.toLowerCase());
      return word === undefined ? [] : [[text, word] as const];
    }),
  );
}

/** Finds, for each text, the words that it may be a misspelling of, nearest first; for one with hyphens, its parts. */
async function similarWords(
  manager: EntityManager,
  texts: readonly string[],
  scopes: readonly string[],
): Promise<SimilarWord[]> {
  const apart = texts.filter((text) => !LETTERS.test(text));
  const whole = texts.filter((text) => LETTERS.test(text));
  const found = await findSimilarWords(manager, whole, scopes);
  const near = found.filter((one) => Math.floor(distance(one)) <= (one.text.length < LONG ? 1 : 2));
  return [
    ...apart.flatMap((text) => {
      const parts = text.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);
      return parts.length > 1 ? [{ text, word: parts.join(' ') }] : [];
    }),
    ...texts.flatMap((text) =>
      near
        .filter((one) => one.text === text)
        .toSorted((one, other) => distance(one) - distance(other))
        .slice(0, MAX_NEAR),
    ),
  ];
}

/** People rarely mistype the first letter. */
const distance = ({ text, word }: SimilarWord): number =>
  word.includes(' ')
    ? 0
    : editDistance([...text], [...word], { swaps: true }) + (text[0] === word[0] ? 0 : OTHER_BEGINNING);

const LETTERS = /^[\p{L}\p{M}]+$/u;

const isWord = (unit: SearchUnit): boolean =>
  isPlain(unit) && unit.text.length >= (isDense(unit.text) ? SHORTEST_DENSE : SHORTEST);
