import { isDense, scriptsOf } from '../language/dense-scripts.js';
import { denseWords } from '../language/dense-words.js';
import type { Sentence } from './sentences.js';

/** Returns the stems of each text, without stop words, in the order of the texts. */
export type Lexemes = (texts: readonly string[]) => Promise<string[][]>;

export interface Word {
  readonly text: string;
  /** Null for stop words. */
  readonly stem: string | null;
  /** Whether only a space precedes it, so that a phrase may continue with it. */
  readonly joined: boolean;
}

export interface Weighed {
  readonly sentence: Sentence;
  readonly words: readonly Word[];
  /** Weights by stem, normalized to length 1. */
  readonly vector: ReadonlyMap<string, number>;
}

/** A word, and what is looked up for it. */
type Token = Omit<Word, 'stem'> & { readonly key: string };

/** Longest run of characters that is taken for a word. */
const LONGEST_WORD = 60;
/** Words that occur in all of these parts are stop words, if the meeting has at least this many sentences. */
const PARTS = 12;
const LEAST_SPREAD = 60;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’._-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;

/** Splits sentences into words and weights them: the rarer in this meeting, the heavier. */
export async function weigh(
  sentences: readonly Sentence[],
  lexemes: Lexemes,
  empty: ReadonlySet<string>,
): Promise<Weighed[]> {
  const taken = sentences.map(({ text }) => tokens(text));
  const stems = await stemsOf([...new Set(taken.flat().map(({ key }) => key))], lexemes, empty);
  for (const key of stems.hasStopWords ? [] : spreadOut(taken)) stems.of.delete(key);
  const words = taken.map((all) => all.map((token) => ({ ...token, stem: stems.of.get(token.key) ?? null })));
  const frequencies = new Map<string, number>();
  for (const stem of words.flatMap(stemsIn)) frequencies.set(stem, (frequencies.get(stem) ?? 0) + 1);
  const weightOf = (stem: string) => {
    const count = frequencies.get(stem)!;
    // A word that occurs once connects nothing.
    return Math.log(1 + sentences.length / count) * (count === 1 ? 0.4 : 1);
  };
  return sentences.map((sentence, index) => {
    const weights = stemsIn(words[index]!).map((stem) => [stem, weightOf(stem)] as const);
    const length = Math.hypot(...weights.map(([, weight]) => weight));
    const vector = new Map(weights.map(([stem, weight]) => [stem, weight / length]));
    return { sentence, words: words[index]!, vector };
  });
}

/** The different stems of a sentence. */
const stemsIn = (words: readonly Word[]): string[] => [...new Set(words.flatMap(({ stem }) => stem ?? []))];

/** Words that occur throughout the meeting: the stop words of languages for which the database has none. */
function spreadOut(sentences: readonly (readonly Token[])[]): string[] {
  if (sentences.length < LEAST_SPREAD) return [];
  const parts = new Map<string, Set<number>>();
  sentences.forEach((said, index) => {
    const part = Math.floor((index * PARTS) / sentences.length);
    for (const { key } of said) parts.set(key, (parts.get(key) ?? new Set()).add(part));
  });
  return [...parts].filter(([, found]) => found.size >= 0.75 * PARTS).map(([key]) => key);
}

function tokens(text: string): Token[] {
  let end = -2;
  return Array.from(text.matchAll(WORD)).flatMap(({ 0: word, index }) => {
    const joined = index - end === 1 && text[end] === ' ';
    end = index + word.length;
    if (!isDense(word)) return [{ text: word, key: keyOf(word), joined }];
    const parts = scriptsOf(word).flatMap((part) => (isDense(part) ? denseWords(part) : [{ text: part }]));
    return parts
      .filter((part) => part.text.length > 1)
      .map((part, at) => ({ text: part.text, key: keyOf(part.text), joined: joined && at === 0 }));
  });
}

/** Strips contractions and elisions: "it's", "we'll", "l'accord". */
const keyOf = (word: string): string =>
  word
    .toLowerCase()
    .replace(/['’]\p{L}{1,2}$/u, '')
    .replace(/^\p{L}{1,2}['’]/u, '');

async function stemsOf(
  words: readonly string[],
  lexemes: Lexemes,
  empty: ReadonlySet<string>,
): Promise<{ of: Map<string, string>; hasStopWords: boolean }> {
  const isAsked = (word: string): boolean =>
    word.length > 1 && word.length <= LONGEST_WORD && !empty.has(word) && /\P{N}/u.test(word);
  const asked = words.filter(isAsked);
  const answers = await lexemes(asked);
  const found = asked.flatMap((word, index) => {
    const [stem, other] = answers[index] ?? [];
    return stem === undefined ? [] : [[word, other === undefined ? stem : word] as const];
  });
  return { of: new Map(found), hasStopWords: found.length < asked.length };
}

/** From and to of the indexes around one for which something is so. */
export function stretchAround(index: number, isIn: (at: number) => boolean): [from: number, to: number] {
  let [from, to] = [index, index + 1];
  while (isIn(from - 1)) from -= 1;
  while (isIn(to)) to += 1;
  return [from, to];
}

/** The product of two vectors; for those of sentences their cosine similarity, from 0 to 1. */
export function likeness(one: Pick<Weighed, 'vector'>, other: Pick<Weighed, 'vector'>): number {
  let sum = 0;
  for (const [stem, weight] of one.vector) sum += weight * (other.vector.get(stem) ?? 0);
  return sum;
}
