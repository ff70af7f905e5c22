import { isPlain, type SearchUnit } from './search-unit.js';
import { isDense } from '../../../lib/language/dense-scripts.js';
import { denseVariants, type SearchVariant } from './dense-variants.js';
import type { SearchQuery } from './search-query.js';
import {
  compoundOf,
  groupsOf,
  hyphenations,
  isTelling,
  prefixedOf,
  spellingsOf,
} from './search-spellings.js';

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
