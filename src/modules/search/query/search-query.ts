import { composed, isDense, scriptsOf } from '../../../lib/language/dense-scripts.js';
import { DENSE_ASKING } from '../../../lib/language/dense-stop-words.js';
import { denseWords } from '../../../lib/language/dense-words.js';
import { withoutParticles } from '../../../lib/language/dense-stems.js';
import { denseTexts, denseUnits, isPlain, type SearchUnit } from './search-unit.js';
import { identifierOf, joinedIdentifier, ungrouped } from './search-spellings.js';

/** Words with which questions begin, in some languages of meetings. */
const ASKING: ReadonlySet<string> = new Set(
  `who whom whose what when where why how which did does do is are was were has have can could will would should
   wer wen wem wessen was wann wo warum wieso weshalb wie welche welcher welches hat haben ist sind war
   qui que quoi quand où pourquoi comment quel quelle quels quelles est-ce
   quién quien qué cuándo cuando dónde donde por cómo cuál cuáles`.split(/\s+/),
);

/** Words that say that something was said. In a question, they are rarely what was said. */
const SAYING: ReadonlySet<string> = new Set(
  `say says said saying tell tells told talk talks talked talking mention mentions mentioned discuss discusses discussed
   explain explains explained ask asks asked think thinks thought
   sagt sagte sagen gesagt erzählt erzählte erwähnt erwähnte besprochen diskutiert erklärt meint meinte gefragt
   dit dire disait parlé parle mentionné expliqué
   dijo dice decir hablado habló mencionó explicó`.split(/\s+/),
);

/** Japanese questions end with it, also without a question mark. */
const ASKS_AT_END = /か[。.]?$/u;

/** Whether a text asks rather than names words. */
export function isQuestion(text: string): boolean {
  const trimmed = composed(text.trim());
  const [first = ''] = trimmed.toLowerCase().split(/\s+/, 1);
  if (trimmed.endsWith('?') || ASKING.has(first) || ASKS_AT_END.test(trimmed)) return true;
  return isDense(trimmed) && denseWords(trimmed).some((word) => DENSE_ASKING.has(word.text));
}

/** Alternatives, separated by `OR`; a recording matches if it contains every unit of one of them. */
export type SearchQuery = readonly (readonly SearchUnit[])[];

/** A quotation, which need not end, or a word, either of which may be excluded. */
const TOKEN = /(-*)(?:["“”„「」『』]([^"“”„「」『』]*)["“”„「」『』]?|([^\s"“”„「」『』]*)\s?)/g;
const HYPHENS = /[‐‑]/g;
const asTyped = (text: string): string => ungrouped(composed(text).replace(HYPHENS, '-'));
const WORDY = /[\p{L}\p{N}]/u;
const NOT_IN_WORDS = /[^\p{L}\p{N}\p{M}_'’-]+/u;
const NOT_WORDY = /[^\p{L}\p{N}\p{M}]+/u;

/**
 * Parses a query such as `budget "next quarter" -draft OR plan*`. Every text is valid; units without letters and digits
 * are ignored. Linear time for any input.
 */
export function parseSearchQuery(text: string): SearchQuery {
  const alternatives: SearchUnit[][] = [[]];
  for (const token of tokens(asTyped(text))) {
    if (!token.quoted && !token.excluded && token.text === 'OR') alternatives.push([]);
    else alternatives.at(-1)?.push(...unitsOf(token));
  }
  const asks = isQuestion(text);
  return alternatives
    .map((units) => withIdentifiers(asks ? askedFor(telling(units)) : telling(units)))
    .filter((units) => units.some(({ excluded, optional }) => !excluded && !optional));
}

/**
 * Returns the distinct words of a question, at most `max`, of which any may occur; nothing in it has a special meaning.
 */
export function questionQuery(question: string, max: number): SearchQuery {
  const plain = asTyped(question).split(NOT_IN_WORDS).filter(Boolean);
  const words = [...new Set(plain.map((word) => word.replace(/^-+|-+$/g, '')))].filter((word) =>
    WORDY.test(word),
  );
  const units = words.flatMap((text) => unitsOf({ text, quoted: false, excluded: false }));
  const asked = askedFor(withIdentifiers(telling(units))).filter(({ optional }) => !optional);
  return asked.length > 0 ? [asked.slice(0, max)] : [];
}

interface Token {
  readonly text: string;
  readonly quoted: boolean;
  readonly excluded: boolean;
}

function* tokens(text: string): Generator<Token> {
  for (const [, minus, quotation, word] of text.matchAll(TOKEN))
    yield { text: quotation ?? word ?? '', quoted: quotation !== undefined, excluded: minus !== '' };
}

function unitsOf({ text, quoted, excluded }: Token): SearchUnit[] {
  if (!WORDY.test(text)) return [];
  if (quoted) return [{ kind: 'phrase', text, excluded }];
  if (excluded && isDense(text)) return [{ kind: 'phrase', text: withoutParticles(text), excluded }];
  if (isDense(text)) {
    const isPrefix = text.endsWith('*');
    const parts = scriptsOf(text.replace(/\*$/, ''));
    return parts.flatMap((part, index) => {
      const isBeginning = isPrefix && index === parts.length - 1;
      if (isDense(part)) return denseUnits(part, { isPrefix: isBeginning });
      return unitsOf({ text: isBeginning ? `${part}*` : part, quoted, excluded });
    });
  }
  if (!text.endsWith('*')) {
    const identifier = identifierOf(text);
    return [
      identifier ? { kind: 'identifier', text: identifier, excluded } : { kind: 'words', text, excluded },
    ];
  }
  const parts = text.split(NOT_WORDY).filter((part) => WORDY.test(part));
  return parts.map((part, index) => ({
    kind: index === parts.length - 1 ? 'prefix' : 'words',
    text: part,
    excluded,
  }));
}

/** `EIP 7702`, typed as two words, is the same identifier as `EIP-7702`. */
function withIdentifiers(units: readonly SearchUnit[]): SearchUnit[] {
  const joined: SearchUnit[] = [];
  for (const unit of units) {
    const before = joined.at(-1);
    const identifier = isPlain(before) && isPlain(unit) ? joinedIdentifier(before.text, unit.text) : null;
    if (identifier) joined.splice(-1, 1, { kind: 'identifier', text: identifier, excluded: false });
    else joined.push(unit);
  }
  return joined;
}

/** The units without stop words, unless there are no others. */
function telling(units: readonly SearchUnit[]): readonly SearchUnit[] {
  const others = units.filter(({ stop }) => !stop);
  const isLeft = others.some(({ excluded, optional }) => !excluded && !optional);
  return isLeft ? others : units;
}

/** Makes `what`, `did` and `say` of "what did Ada say about budgets" optional, unless nothing else is left. */
function askedFor(units: readonly SearchUnit[]): readonly SearchUnit[] {
  const reduced = units.map((unit) =>
    isPlain(unit) && isAsking(unit.text.toLowerCase()) ? { ...unit, optional: true as const } : unit,
  );
  return reduced.some(({ excluded, optional }) => !excluded && !optional) ? reduced : units;
}

const isAsking = (word: string): boolean => ASKING.has(word) || SAYING.has(word);

/** The words of phrases, for passages that contain only part of a phrase. */
export function looseWords(query: SearchQuery): string[] {
  const phrases = query
    .flat()
    .filter(({ kind, excluded, optional }) => kind === 'phrase' && !excluded && !optional);
  return phrases.flatMap(({ text }) => wordsIn(text));
}

/** The query with some of its words replaced, such as misspelled ones, by one or more words. */
export function corrected(query: SearchQuery, corrections: ReadonlyMap<string, string>): SearchQuery {
  return query.map((units) =>
    units.flatMap((unit): readonly SearchUnit[] => {
      const correction = unit.kind === 'words' ? corrections.get(unit.text) : undefined;
      return correction?.split(' ').map((text) => ({ ...unit, text })) ?? [unit];
    }),
  );
}

export function typed(query: SearchQuery): string {
  return query.map((units) => units.map(typedUnit).join(' ')).join(' OR ');
}

const typedUnit = ({ kind, text, excluded }: SearchUnit): string =>
  `${excluded ? '-' : ''}${kind === 'phrase' ? `"${text}"` : text}${kind === 'prefix' ? '*' : ''}`;

function wordsIn(text: string): string[] {
  const words = text.split(NOT_WORDY).filter((word) => WORDY.test(word));
  return words.flatMap((word) => (isDense(word) ? scriptsOf(word).flatMap(denseTexts) : [word]));
}
