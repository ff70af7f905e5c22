import type { Cues } from './extractive-cues.js';
import type { Weighed } from './extractive-words.js';
import { phoneticKey } from './names.js';

const MAX_WORDS = 4;
/** Words of languages that write compounds as one word, or without spaces, say less each. */
const MAX_PHRASES = 2;
const MAX_COMPOUNDS = 3;
const LONGEST_TITLE = 60;
/** Weights by number of words; where nouns are compounds of several words, single ones say less. */
const BY_LENGTH = [0, 0.65, 1.3, 1.5, 1.5];
const SINGLE_WORD = 0.2;
const SINGLE_NAME = 0.45;
/** Weights of phrases that occur once or twice in the topic. */
const ONCE = 0.05;
const TWICE = 0.6;
/** A second phrase is worth at least this share of the first. */
const LEAST_SHARE = 0.4;
const JOINT = '\u0001';

interface Phrase {
  readonly stems: readonly string[];
  /** Occurrences in each topic. */
  readonly counts: number[];
  /** Occurrences of each form. */
  readonly forms: Map<string, number>;
}

interface Ranked {
  readonly phrase: Phrase;
  readonly worth: number;
}

/**
 * For each topic, the words and phrases that distinguish it, each in its most frequent form, without names of speakers.
 */
export function phrasesOf(
  topics: readonly (readonly Weighed[])[],
  speakers: readonly string[],
  cues: Cues,
): string[][] {
  const names = new Set(speakers.flatMap((speaker) => speaker.match(/\p{L}{2,}/gu) ?? []).map(phoneticKey));
  const phrases = collect(topics, names).filter((phrase) => !cues.noTitle.test(formOf(phrase)));
  const taken = new Set<string>();
  return topics.map((_, topic) => {
    const candidates = best(phrases, topic, cues);
    const fresh = candidates.filter(({ phrase: { stems } }) => !taken.has(stems.join(JOINT)));
    const chosen = choose(fresh.length > 0 ? fresh : candidates, cues);
    for (const { stems } of chosen) taken.add(stems.join(JOINT));
    return chosen.map(formOf);
  });
}

/** The phrases of a topic as its title. */
export function titleOf(phrases: readonly string[]): string {
  const title = phrases
    .join(', ')
    .slice(0, 2 * LONGEST_TITLE)
    .toWellFormed();
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Phrases that share no word, are nearly as good as the best, and fit on one line. */
function choose(candidates: readonly Ranked[], { hasSpacedCompounds }: Cues): Phrase[] {
  const chosen: Phrase[] = [];
  for (const { phrase, worth } of candidates) {
    if (hasSpacedCompounds && worth < LEAST_SHARE * candidates[0]!.worth) break;
    if (chosen.some(({ stems }) => stems.some((stem) => phrase.stems.includes(stem)))) continue;
    const length = [...chosen, phrase].map(formOf).join(', ').length;
    if (chosen.length > 0 && length > LONGEST_TITLE) continue;
    chosen.push(phrase);
    if (chosen.length === (hasSpacedCompounds ? MAX_PHRASES : MAX_COMPOUNDS)) break;
  }
  return chosen;
}

function collect(topics: readonly (readonly Weighed[])[], names: ReadonlySet<string>): Phrase[] {
  const phrases = new Map<string, Phrase>();
  topics.forEach((topic, index) => {
    topic.forEach(({ words }) => {
      words.forEach((_, from) => {
        const stems: string[] = [];
        for (let to = from; to < words.length && stems.length < MAX_WORDS; to += 1) {
          const { text, joined } = words[to]!;
          // "Phase 1", but not "1 phase".
          const stem = words[to]!.stem ?? (to > from && /^\p{N}+$/u.test(text) ? text : null);
          if (stem === null || isName(text, names) || (to > from && !joined)) break;
          if (stems.includes(stem)) break;
          stems.push(stem);
          const form = words
            .slice(from, to + 1)
            .map((word) => word.text)
            .join(' ');
          const key = stems.join(JOINT);
          const phrase = phrases.get(key) ?? {
            stems: [...stems],
            counts: topics.map(() => 0),
            forms: new Map(),
          };
          phrases.set(key, phrase);
          phrase.counts[index]! += 1;
          // The beginning of a sentence has a capital anyway.
          phrase.forms.set(form, (phrase.forms.get(form) ?? 0) + (from === 0 ? 0.5 : 1));
        }
      });
    });
  });
  return [...phrases.values()];
}

/** Transcribed names are often misspelled: "Kareem" for Karim, "Yannick" for Jannik. */
function isName(word: string, names: ReadonlySet<string>): boolean {
  return /^\p{Lu}/u.test(word) && names.has(phoneticKey(word));
}

/** The phrases that distinguish a topic from the others, best first. */
function best(phrases: readonly Phrase[], topic: number, { hasSpacedCompounds }: Cues): Ranked[] {
  return phrases
    .filter(({ counts }) => counts[topic]! > 0)
    .map((phrase) => ({ phrase, worth: worthOf(phrase, topic) * lengthWeight(phrase, hasSpacedCompounds) }))
    .sort((one, other) => other.worth - one.worth)
    .slice(0, 40);
}

function worthOf({ counts }: Phrase, topic: number): number {
  const here = counts[topic]!;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const elsewhere = counts.filter((count, at) => at !== topic && count > 0).length;
  const rarity = Math.log(1 + counts.length / (1 + elsewhere));
  const often = here === 1 ? ONCE : here === 2 ? TWICE : 1;
  return here ** 0.8 * (here / total + 0.3) * rarity * often;
}

function lengthWeight(phrase: Phrase, hasSpacedCompounds: boolean): number {
  const { stems } = phrase;
  const isProper = /^\p{Lu}|\p{N}/u.test(formOf(phrase));
  if (stems.length === 1 && hasSpacedCompounds) return isProper ? SINGLE_NAME : SINGLE_WORD;
  return BY_LENGTH[stems.length]! * (isProper ? 1.25 : 1);
}

function formOf({ forms }: Phrase): string {
  const [form] = [...forms].reduce((one, other) => (other[1] > one[1] ? other : one));
  return form.replace(/['’]s$/u, '');
}
