import {
  composed,
  DENSE_LETTERS,
  DENSE_RUNS,
  HAN_LETTERS,
  isDense,
  isSyllabic,
  scriptsOf,
} from './dense-scripts.js';
import { denseStem } from './dense-stems.js';
import { isDenseStopWord } from './dense-stop-words.js';

export interface DenseWord {
  /** The word as it is written. */
  readonly text: string;
  readonly stem: string;
  readonly isStop: boolean;
}

/** The language does not matter: the dictionaries are chosen by script. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
/** Its time grows with the square of the length; sentences are shorter. */
const LONGEST = 200;

const PIECES = new RegExp(`[${DENSE_LETTERS}]{1,${LONGEST}}`, 'gu');
export const ONE_HAN = new RegExp(`^[${HAN_LETTERS}]$`, 'u');

/** The words of a run of letters of dense scripts. */
export const denseWords = (run: string): DenseWord[] =>
  (run.match(PIECES) ?? []).flatMap((piece) =>
    Array.from(SEGMENTER.segment(piece), ({ segment: text }) => {
      const stem = denseStem(text);
      return { text, stem, isStop: isDenseStopWord(text) || isDenseStopWord(stem) };
    }),
  );

/** Joins characters that follow each other alone, which the dictionary does not know together: names, mostly. */
export function withNames(words: readonly DenseWord[]): DenseWord[] {
  const joined: DenseWord[] = [];
  let alone = false;
  for (const word of words) {
    const isAlone = !word.isStop && ONE_HAN.test(word.text);
    const before = joined.at(-1);
    if (alone && isAlone && before) {
      joined.splice(-1, 1, { text: before.text + word.text, stem: before.stem + word.stem, isStop: false });
    } else joined.push(word);
    alone = isAlone;
  }
  return joined;
}

const WORD_LENGTH = { letters: 2, syllabic: 4 } as const;

/** How many words a text has, about. */
export function wordCount(text: string): number {
  const counts = text.split(/\s+/).flatMap(scriptsOf);
  return counts.reduce((sum, part) => {
    if (!isDense(part)) return sum + 1;
    return sum + Math.ceil(part.length / (isSyllabic(part) ? WORD_LENGTH.syllabic : WORD_LENGTH.letters));
  }, 0);
}

/** Prepares a text for the index: spaces separate its words, as stems without stop words. Other text stays as it is. */
export const spacedStems = (text: string): string => spaced(text, denseWords);

/** Prepares a text for comparison: the same with names as one word. */
export const spacedTopics = (text: string): string => spaced(text, (run) => withNames(denseWords(run)));

const spaced = (text: string, wordsOf: (run: string) => readonly DenseWord[]): string =>
  composed(text).replace(DENSE_RUNS, (run) => {
    const stems = wordsOf(run).flatMap(({ stem, isStop }) => (isStop ? [] : [stem]));
    return ` ${stems.join(' ')} `;
  });
