import { runsOf } from '../../../lib/language/dense-scripts.js';
import { isSpelledOut } from '../../../lib/language/dense-stems.js';
import { denseWords, type DenseWord } from '../../../lib/language/dense-words.js';
import { looseWords, type SearchQuery } from '../query/search-query.js';

/** What to mark in texts of dense scripts, as regular expressions of PostgreSQL; null for nothing. */
export interface DenseMarks {
  readonly query: string | null;
  /** The same with the words of phrases alone, for passages that have only a part of one. */
  readonly loose: string | null;
}

export function denseMarks(query: SearchQuery): DenseMarks {
  const units = query.flat().filter(({ excluded }) => !excluded);
  const phrases = units
    .filter(({ kind }) => kind === 'phrase')
    .flatMap(({ text }) => runsOf(text).map(inText));
  const others = units
    .filter(({ kind, optional }) => kind !== 'phrase' && !optional)
    .flatMap(({ text }) => wordsOf(text));
  return {
    query: anyOf([...phrases, ...others]),
    loose: anyOf([...phrases, ...others, ...looseWords(query).flatMap(wordsOf)]),
  };
}

/** The whole text and, where that is not there, its words. */
function wordsOf(text: string): string[] {
  return runsOf(text).flatMap((run) => [inText(run), ...denseWords(run).map(patternOf)]);
}

/** A word in its usual forms and spellings, with as much of its ending as is the same. */
function patternOf({ text, stem }: DenseWord): string {
  if (!isSpelledOut(text)) return inText(stem);
  const [, ending = ''] = /([ぁ-ゖ]*)$/u.exec(text) ?? [];
  const same = [...ending].reduceRight((rest, letter) => `(?:${inText(letter)}${rest})?`, '');
  return [...stem].map(inText).join('[ぁ-ゖ]{0,2}') + same;
}

/** Spaces do not separate the letters. */
function inText(letters: string): string {
  return [...letters].map((letter) => WIDTHS.get(letter) ?? letter).join('\\s*');
}

/** Katakana of half width, some of which are two characters, by those of usual width. */
const WIDTHS: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0xff9f - 0xff66 + 1 }, (_, index) => String.fromCodePoint(0xff66 + index)).flatMap(
    (kana) =>
      ['', 'ﾞ', 'ﾟ']
        .map((mark) => kana + mark)
        .filter((narrow) => [...narrow.normalize('NFKC')].length === 1)
        .map((narrow) => [narrow.normalize('NFKC'), `(?:${narrow.normalize('NFKC')}|${narrow})`] as const),
  ),
);

/** PostgreSQL takes the longest of several. */
const anyOf = (patterns: readonly string[]): string | null =>
  patterns.length === 0 ? null : `(?:${[...new Set(patterns)].join('|')})`;
