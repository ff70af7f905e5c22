import { isDense } from './dense-scripts.js';

/** A name or a term as it is spelled, and what recognizers write instead. */
export interface GlossaryTerm {
  readonly term: string;
  readonly heard_as: readonly string[];
}

/** Words of the longest passage that stands for a term. */
const MAX_WORDS = 8;
/** Segments corrected before other work has a turn. */
const AT_ONCE = 1_000;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** What may stand between the words of a term. */
const GAP = /^(?:\s+|[-‐‑–_./&])$/u;
/** A spelling that no sentence begins with by chance: `GraphQL`, `EIP-7702`, `Ada Lovelace`. */
const TELLING = /\p{Ll}.*\p{Lu}|\p{N}|\s/u;

/** The letters and digits of a text without case and accents: those with the same are taken for the same. */
export const glossaryKey = (text: string): string =>
  (text.normalize('NFKD').replaceAll(/\p{M}/gu, '').match(WORD) ?? []).join('').toLowerCase();

interface Spelling {
  readonly term: string;
  /** Whether it was given as something that is heard. */
  readonly heard: boolean;
}

/**
 * Segments in which the terms are spelled as they should be: `lambda class` becomes `LambdaClass`, and what is heard
 * instead becomes the term. The case of a plain word alone is left as it is: `will` need not be the name `Will`. Work
 * is proportional to the text, and gives way to other work. A segment that would have more than `most` characters is left as it is.
 */
export async function correctTerms<Segment extends { readonly text: string }>(
  segments: readonly Segment[],
  terms: readonly GlossaryTerm[],
  most: number,
): Promise<Segment[]> {
  if (terms.length === 0) return [...segments];
  const spellings = spellingsOf(terms);
  const within = withinWords(terms);
  const corrected: Segment[] = [];
  for (const [index, segment] of segments.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await new Promise((next) => setImmediate(next));
    const text = spelled(within(segment.text), spellings);
    corrected.push([...text].length > most ? segment : { ...segment, text });
  }
  return corrected;
}

/** Replaces what is heard where words have no spaces between them. */
function withinWords(terms: readonly GlossaryTerm[]): (text: string) => string {
  const spellings = new Map(
    terms.flatMap(({ term, heard_as: heard }) => heard.filter(isDense).map((text) => [text, term] as const)),
  );
  if (spellings.size === 0) return (text) => text;
  const longestFirst = [...spellings.keys()].toSorted((one, other) => other.length - one.length);
  const any = longestFirst.map((text) => text.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')).join('|');
  const pattern = new RegExp(any, 'g');
  return (text) => text.replace(pattern, (heard) => spellings.get(heard) ?? heard);
}

function spellingsOf(terms: readonly GlossaryTerm[]): ReadonlyMap<string, Spelling> {
  const spellings = new Map<string, Spelling>();
  for (const { term, heard_as: heard } of terms)
    for (const text of heard) spellings.set(glossaryKey(text), { term, heard: true });
  // Last: what is heard may be the same letters, such as `W H O`.
  for (const { term } of terms) spellings.set(glossaryKey(term), { term, heard: false });
  return spellings;
}

function spelled(text: string, spellings: ReadonlyMap<string, Spelling>): string {
  const words = Array.from(text.matchAll(WORD), ({ 0: word, index }) => {
    return { key: glossaryKey(word), from: index, to: index + word.length };
  });
  let [corrected, done] = ['', 0];
  for (let first = 0; first < words.length; first += 1) {
    const found = longest(text, words.slice(first, first + MAX_WORDS), spellings);
    if (!found) continue;
    corrected += text.slice(done, words[first]!.from) + found.term;
    done = found.to;
    first += found.words - 1;
  }
  return corrected + text.slice(done);
}

/** The longest passage of the first words that stands for a term. */
function longest(
  text: string,
  words: readonly { readonly key: string; readonly from: number; readonly to: number }[],
  spellings: ReadonlyMap<string, Spelling>,
) {
  let [found, key]: [{ term: string; to: number; words: number } | null, string] = [null, ''];
  for (const [place, word] of words.entries()) {
    if (place > 0 && !GAP.test(text.slice(words[place - 1]!.to, word.from))) break;
    key += word.key;
    const spelling = spellings.get(key);
    const heard = text.slice(words[0]!.from, word.to);
    if (spelling && stands(heard, spelling)) found = { term: spelling.term, to: word.to, words: place + 1 };
  }
  return found;
}

const stands = (heard: string, { term, heard: isGiven }: Spelling): boolean =>
  isGiven || TELLING.test(term) || heard.toLowerCase() !== term.toLowerCase();
