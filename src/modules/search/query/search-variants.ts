import type { SearchUnit } from './search-unit.js';
import { isDense } from '../../../lib/language/dense-scripts.js';
import { denseVariants, type SearchVariant } from './dense-variants.js';
import type { SearchQuery } from './search-query.js';
import { asIndexed, compoundOf, hyphenations, isTelling, spellingsOf } from './search-spellings.js';

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
  const exact = spellingsOf(text).map((spelling) => variantOf(kind, spelling));
  const hyphens = kind === 'words' ? hyphenations(text) : null;
  if (!hyphens) return exact;
  return [
    ...exact,
    equal('phrase', asIndexed(hyphens.apart)),
    ...(hyphens.joined === null ? [] : [equal('words', hyphens.joined)]),
  ];
}

function variantOf(kind: SearchUnit['kind'], text: string): SearchVariant {
  const spelled = asIndexed(text);
  const isSplit = kind === 'words' && /\s/.test(spelled);
  return {
    reading: isSplit ? 'phrase' : kind === 'identifier' ? 'words' : kind,
    text: spelled,
    role: 'exact',
  };
}

function identifierVariants(text: string): SearchVariant[] {
  const [letters = '', number = ''] = text.split(' ');
  return [
    { reading: 'phrase', text, role: 'exact' },
    ...(isTelling(number) ? [{ reading: 'words', text: number, role: 'wide' } as const] : []),
    // As PostgreSQL reads the text of a meeting: `EIP7702` is a word, and `EIP-7702` one and a negative number.
    { reading: 'lexeme', text: `${letters}${number}`.toLowerCase(), role: 'shown' },
    { reading: 'lexeme', text: `-${number}`, role: 'shown' },
  ];
}

/** Two adjacent words also match where they are written as one: `time lock` and `timelock`. */
function joinedVariants(before: SearchUnit | undefined, after: SearchUnit | undefined): SearchVariant[] {
  if (!isWord(before) || !isWord(after)) return [];
  const joined = compoundOf(before.text, after.text);
  return joined ? [equal('words', joined)] : [];
}

const isWord = (unit: SearchUnit | undefined): unit is SearchUnit =>
  unit?.kind === 'words' && !unit.excluded && !unit.optional;

const equal = (reading: SearchVariant['reading'], text: string): SearchVariant => ({
  reading,
  text,
  role: 'equal',
});
