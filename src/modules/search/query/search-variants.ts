import { gramQuery, runsQuery, spreadQuery } from '../../../lib/language/dense-grams.js';
import { DENSE_RUNS, isSyllabic, isDense } from '../../../lib/language/dense-scripts.js';
import { isSpelledOut } from '../../../lib/language/dense-stems.js';
import { denseWords, type DenseWord } from '../../../lib/language/dense-words.js';
import { type SearchUnit, isPlain } from './search-unit.js';
import type { SearchQuery } from './search-query.js';
import {
  compoundOf,
  groupsOf,
  hyphenations,
  isTelling,
  prefixedOf,
  spellingsOf,
} from './search-spellings.js';

/** One of the ways in which a unit of a query may occur in the index. */
interface SearchVariant {
  /** How PostgreSQL reads `text`; `words`: one after the other; `lexeme`: not at all; `tsquery`: as it writes queries itself. */
  readonly reading: 'words' | 'prefix' | 'lexeme' | 'tsquery';
  readonly text: string;
  /** A `tsquery` that has to match, too. */
  readonly dense?: string;
  /**
   * `exact`: what was typed. `equal`: the same in one or two words. `wide`: matches, too, but ranks lower. `shown`:
   * only marked in snippets.
   */
  readonly role: 'exact' | 'equal' | 'wide' | 'shown';
}

/** The variants of a unit with letters of dense scripts. A part of a word matches, too, but ranks lower. */
function denseVariants({ kind, text, optional }: SearchUnit): SearchVariant[] {
  if (kind === 'phrase') return [phraseVariant(text)];
  if (kind === 'prefix') return [dense(`'${text}':*`, 'exact'), dense(gramQuery(text), 'wide')];
  const words = denseWords(text);
  const exact = dense(words.map(({ stem }) => `'${stem}'`).join(' <-> '), 'exact');
  if (optional) return [exact];
  if (words.length === 1) return [exact, ...words.flatMap(looseQueries).map((query) => dense(query, 'wide'))];
  const apart = words.map((word) => `(${looseQueries(word).join(' | ')})`).join(' & ');
  return [exact, dense(gramQuery(text), 'exact'), dense(apart, 'wide')];
}

/** Quoted words, letter by letter. Those of other scripts are beside them in the same text. */
function phraseVariant(text: string): SearchVariant {
  const query = runsQuery(text);
  const others = text.replace(DENSE_RUNS, ' ');
  if (!/[\p{L}\p{N}]/u.test(others)) return dense(query, 'exact');
  return { reading: 'words', text: others, role: 'exact', dense: query };
}

/** How a word may occur within others, or spelled otherwise. */
function looseQueries({ text, stem }: DenseWord): string[] {
  if (isSyllabic(text) && text.length === 1) return [`'${text}'`];
  if (!isSpelledOut(text)) return [gramQuery(stem)];
  // Kana between the kanji: `引っ越し`, `引越し`.
  return [gramQuery(stem), ...(stem.length > 1 ? [2, 3].map((distance) => spreadQuery(stem, distance)) : [])];
}

const dense = (text: string, role: SearchVariant['role']): SearchVariant => ({
  reading: 'tsquery',
  text,
  role,
});

/** The variants of each unit, alternative by alternative. What is excluded, is excluded as typed. */
export function variantsOf(query: SearchQuery): SearchVariant[][][] {
  return query.map((units) =>
    units.map((unit, place) =>
      unit.excluded
        ? ownVariants(unit).filter(({ role }) => role === 'exact')
        : [
            ...ownVariants(unit),
            ...joinedVariants(units[place - 1], unit),
            ...joinedVariants(unit, units[place + 1]),
          ],
    ),
  );
}

function ownVariants(unit: SearchUnit): SearchVariant[] {
  const { kind, text } = unit;
  if (isDense(text)) return denseVariants(unit);
  if (kind === 'identifier') return identifierVariants(text);
  const exact = spellingsOf(text).flatMap((spelling) =>
    as('exact', kind === 'prefix' ? kind : 'words', spelling),
  );
  if (kind !== 'words') return exact;
  const hyphens = hyphenations(text);
  return [
    ...exact,
    ...as('equal', 'words', hyphens?.apart),
    ...as('equal', 'words', hyphens?.joined),
    ...as('wide', 'tsquery', prefixedOf(text)),
    ...as('shown', 'tsquery', groupsOf(text)),
  ];
}

function identifierVariants(text: string): SearchVariant[] {
  const [letters = '', number = ''] = text.split(' ');
  return [
    ...as('exact', 'words', text),
    ...as('wide', 'words', isTelling(number) ? number : null),
    // As PostgreSQL reads the text of a meeting: `EIP7702` is a word, and `EIP-7702` one and a negative number.
    ...as('shown', 'lexeme', `${letters}${number}`.toLowerCase()),
    ...as('shown', 'lexeme', `-${number}`),
  ];
}

/** Two adjacent words also match where they are written as one: `time lock` and `timelock`. */
function joinedVariants(before: SearchUnit | undefined, after: SearchUnit | undefined): SearchVariant[] {
  if (!isPlain(before) || !isPlain(after)) return [];
  return as('equal', 'words', compoundOf(before.text, after.text));
}

/** A variant, or none without a text. */
const as = (
  role: SearchVariant['role'],
  reading: SearchVariant['reading'],
  text: string | null | undefined,
): SearchVariant[] => (text ? [{ role, reading, text }] : []);
