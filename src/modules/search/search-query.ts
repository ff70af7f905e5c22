/** Words, a phrase, or the beginning of a word. */
export interface SearchUnit {
  readonly kind: 'words' | 'phrase' | 'prefix';
  /** As typed, without quotes, minus and asterisk; for a prefix, letters and digits only. */
  readonly text: string;
  /** Whether recordings that contain it are excluded. */
  readonly excluded: boolean;
}

/** Alternatives, separated by `OR`; a recording matches if it contains every unit of one of them. */
export type SearchQuery = readonly (readonly SearchUnit[])[];

const QUOTES = /["“”„]/;
const BLANK = /\s/;
const WORDY = /[\p{L}\p{N}]/u;
const NOT_WORDY = /[^\p{L}\p{N}\p{M}]+/u;

/**
 * Parses a query such as `budget "next quarter" -draft OR plan*`. Every text is valid; units without letters and digits
 * are ignored. Linear time for any input.
 */
export function parseSearchQuery(text: string): SearchQuery {
  const alternatives: SearchUnit[][] = [[]];
  for (const token of tokens(text)) {
    if (!token.quoted && !token.excluded && token.text === 'OR') alternatives.push([]);
    else alternatives.at(-1)?.push(...unitsOf(token));
  }
  return alternatives.filter((units) => units.some(({ excluded }) => !excluded));
}

interface Token {
  readonly text: string;
  readonly quoted: boolean;
  readonly excluded: boolean;
}

function* tokens(text: string): Generator<Token> {
  let at = 0;
  while (at < text.length) {
    const excluded = text[at] === '-';
    while (text[at] === '-') at += 1;
    const quoted = QUOTES.test(text[at] ?? '');
    if (quoted) at += 1;
    const ends = quoted ? QUOTES : new RegExp(`${BLANK.source}|${QUOTES.source}`);
    const from = at;
    while (at < text.length && !ends.test(text[at] ?? '')) at += 1;
    yield { text: text.slice(from, at), quoted, excluded };
    if (quoted || BLANK.test(text[at] ?? '')) at += 1;
  }
}

function unitsOf({ text, quoted, excluded }: Token): SearchUnit[] {
  if (!WORDY.test(text)) return [];
  if (quoted) return [{ kind: 'phrase', text, excluded }];
  if (!text.endsWith('*')) return [{ kind: 'words', text, excluded }];
  const parts = text.split(NOT_WORDY).filter((part) => WORDY.test(part));
  return parts.map((part, index) => ({
    kind: index === parts.length - 1 ? 'prefix' : 'words',
    text: part,
    excluded,
  }));
}

/** The words of phrases, for passages that contain only part of a phrase. */
export function looseWords(query: SearchQuery): string[] {
  const phrases = query.flat().filter(({ kind, excluded }) => kind === 'phrase' && !excluded);
  return phrases.flatMap(({ text }) => text.split(NOT_WORDY)).filter((word) => WORDY.test(word));
}
