import { isDense } from '../../../lib/language/dense-scripts.js';
import { denseWords, ONE_HAN, withNames, type DenseWord } from '../../../lib/language/dense-words.js';

/** Words, a phrase, the beginning of a word, or an identifier such as `EIP-7702`. */
export interface SearchUnit {
  readonly kind: 'words' | 'phrase' | 'prefix' | 'identifier';
  /**
   * What was typed, without quotes, minus and asterisk; for a prefix, letters and digits only; for an identifier, `EIP
   * 7702`.
   */
  readonly text: string;
  /** Whether recordings that contain it are excluded. */
  readonly excluded: boolean;
  /** Whether a recording matches without it, and only ranks higher with it. */
  readonly optional?: true;
  /** Whether it is dropped if the query has other words. */
  readonly stop?: true;
}

/** Whether it is words that have to occur. */
export const isPlain = (unit: SearchUnit | undefined): unit is SearchUnit =>
  unit?.kind === 'words' && !unit.excluded && !unit.optional;

/** The words of a run of letters of dense scripts; where several follow each other, they rank higher together. */
export function denseUnits(run: string, { isPrefix }: { readonly isPrefix: boolean }): SearchUnit[] {
  const words = withSuffixes(withNames(denseWords(run)));
  const units = words.map(({ text, isStop }, index): SearchUnit =>
    isPrefix && index === words.length - 1
      ? { kind: 'prefix', text, excluded: false }
      : { kind: 'words', text, excluded: false, ...(isStop && { stop: true }) },
  );
  return [...optionalSingles(units), ...phrasesIn(units)];
}

const isSingle = ({ kind, text }: SearchUnit): boolean => kind === 'words' && ONE_HAN.test(text);

/** Beside longer words, a single character says little, and occurs in many others: it need not. */
function optionalSingles(units: readonly SearchUnit[]): SearchUnit[] {
  const hasLonger = units.some((unit) => !unit.stop && !isSingle(unit));
  return units.map((unit) =>
    hasLonger && !unit.stop && isSingle(unit) ? { ...unit, optional: true } : unit,
  );
}

/** The words of one of the parts, without stop words. */
export function denseTexts(part: string): string[] {
  return isDense(part) ? denseWords(part).flatMap(({ text, isStop }) => (isStop ? [] : [text])) : [part];
}

type Part = Pick<DenseWord, 'text' | 'isStop'>;

/** Joins a single character with the word before: `服务器` and `予算案`, which the dictionary divides. */
function withSuffixes(words: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    if (before && !before.isStop && !word.isStop && ONE_HAN.test(word.text) && before.text.length > 1) {
      joined.splice(-1, 1, { text: before.text + word.text, isStop: false });
    } else joined.push(word);
  }
  return joined;
}

const isWord = ({ stop }: SearchUnit): boolean => !stop;

/** The phrase from the first word to the last, and those into which stop words divide it. */
function phrasesIn(units: readonly SearchUnit[]): SearchUnit[] {
  const whole = units.slice(units.findIndex(isWord), units.findLastIndex(isWord) + 1);
  const parts: SearchUnit[][] = [[]];
  for (const unit of whole) {
    if (unit.stop) parts.push([]);
    else parts.at(-1)?.push(unit);
  }
  const texts = [whole, ...parts]
    .filter(({ length }) => length > 1)
    .map((part) => part.map(({ text }) => text).join(''));
  return [...new Set(texts)].map((text) => ({ kind: 'phrase', text, excluded: false, optional: true }));
}
