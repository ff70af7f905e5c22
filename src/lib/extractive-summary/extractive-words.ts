import { scriptsOf } from '../language/dense-scripts.js';
import { denseWords } from '../language/dense-words.js';
import type { Sentence } from './sentences.js';

/** Returns the stems of each text, without stop words, in the order of the texts. */
export type Lexemes = (texts: readonly string[]) => Promise<string[][]>;

/** A word as it was spoken. */
export interface Word {
  readonly text: string;
  /** Null for stop words. */
  readonly stem: string | null;
  /** Whether only a space precedes it, so that a phrase may continue with it. */
  readonly joined: boolean;
}

/** A sentence with its weighted stems. */
export interface Weighed {
  readonly sentence: Sentence;
  readonly words: readonly Word[];
  /** Weights by stem, normalized to length 1. */
  readonly vector: ReadonlyMap<string, number>;
}

/** Longest run of characters that is taken for a word. */
const LONGEST_WORD = 60;
/** Words that occur in all of these parts are stop words, in meetings with at least so many sentences. */
const PARTS = 12;
const LEAST_SPREAD = 60;
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’._-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Splits sentences into words and weights them: the rarer in this meeting, the heavier. */
export async function weigh(
  sentences: readonly Sentence[],
  lexemes: Lexemes,
  empty: ReadonlySet<string>,
): Promise<Weighed[]> {
  const taken = sentences.map(({ text }) => tokens(text));
  const distinct = [...new Set(taken.flatMap((words) => words.map(({ key }) => key)))];
  const stems = await stemsOf(distinct, lexemes, empty);
  const everywhere = stems.hasStopWords
    ? new Set<string>()
    : spreadOut(taken.map((words) => words.map(({ key }) => key)));
  const words = taken.map((of) =>
    of.map(({ text, key, joined }) => ({
      text,
      stem: everywhere.has(key) ? null : (stems.of.get(key) ?? null),
      joined,
    })),
  );
  const idf = inverseFrequencies(words);
  return sentences.map((sentence, index) => ({
    sentence,
    words: words[index]!,
    vector: normalized(words[index]!, idf),
  }));
}

/** Words that occur throughout the meeting: the stop words of languages for which the database has none. */
function spreadOut(sentences: readonly (readonly string[])[]): Set<string> {
  if (sentences.length < LEAST_SPREAD) return new Set();
  const parts = new Map<string, Set<number>>();
  sentences.forEach((keys, index) => {
    const part = Math.floor((index * PARTS) / sentences.length);
    for (const key of keys) parts.set(key, (parts.get(key) ?? new Set()).add(part));
  });
  return new Set([...parts].filter(([, found]) => found.size >= 0.75 * PARTS).map(([key]) => key));
}

function tokens(text: string): { text: string; key: string; joined: boolean }[] {
  const found: { text: string; key: string; joined: boolean }[] = [];
  let end = -2;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const joined = index - end === 1 && text[end] === ' ';
    end = index + word.length;
    if (DENSE.test(word)) {
      for (const part of scriptsOf(word).flatMap(wordsOfScript)) {
        found.push({ text: part, key: keyOf(part), joined: false });
      }
    } else found.push({ text: word, key: keyOf(word), joined });
  }
  return found;
}

/** The words of a part of a text, if they are written without spaces; single characters say little. */
function wordsOfScript(part: string): string[] {
  if (!DENSE.test(part)) return [part];
  return denseWords(part).flatMap(({ text }) => (text.length > 1 ? [text] : []));
}

/** Strips contractions and elisions: "it's", "we'll", "l'accord". */
function keyOf(word: string): string {
  return word
    .toLowerCase()
    .replace(/['’]\p{L}{1,2}$/u, '')
    .replace(/^\p{L}{1,2}['’]/u, '');
}

async function stemsOf(
  words: readonly string[],
  lexemes: Lexemes,
  empty: ReadonlySet<string>,
): Promise<{ of: ReadonlyMap<string, string>; hasStopWords: boolean }> {
  const asked = words.filter(
    (word) => word.length > 1 && word.length <= LONGEST_WORD && !empty.has(word) && /\P{N}/u.test(word),
  );
  const answers = await lexemes(asked);
  const stems = new Map<string, string>();
  asked.forEach((word, index) => {
    const answer = answers[index] ?? [];
    if (answer.length > 0) stems.set(word, answer.length === 1 ? answer[0]! : word);
  });
  return { of: stems, hasStopWords: stems.size < asked.length };
}

function inverseFrequencies(sentences: readonly (readonly Word[])[]): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const words of sentences) {
    for (const stem of new Set(words.map((word) => word.stem))) {
      if (stem !== null) frequencies.set(stem, (frequencies.get(stem) ?? 0) + 1);
    }
  }
  const total = sentences.length;
  // A word that occurs once connects nothing.
  const weight = (count: number) => Math.log(1 + total / count) * (count === 1 ? 0.4 : 1);
  return new Map([...frequencies].map(([stem, count]) => [stem, weight(count)]));
}

function normalized(words: readonly Word[], idf: ReadonlyMap<string, number>): Map<string, number> {
  const vector = new Map<string, number>();
  for (const { stem } of words) if (stem !== null) vector.set(stem, idf.get(stem) ?? 0);
  let squares = 0;
  for (const weight of vector.values()) squares += weight * weight;
  const length = Math.sqrt(squares) || 1;
  for (const [stem, weight] of vector) vector.set(stem, weight / length);
  return vector;
}

/** The product of two vectors; for those of sentences their cosine similarity, from 0 to 1. */
export function likeness(one: Pick<Weighed, 'vector'>, other: Pick<Weighed, 'vector'>): number {
  let sum = 0;
  for (const [stem, weight] of one.vector) sum += weight * (other.vector.get(stem) ?? 0);
  return sum;
}
