import { capitalized } from './extractive-content.js';
import type { Cues } from './extractive-cues.js';
import type { Weighed, Word } from './extractive-words.js';
import { phoneticKey } from './explicit-resolutions.js';

const MAX_WORDS = 4;
/** Words of languages that write compounds as one word, or without spaces, say less each. */
const MAX_PHRASES = 2;
const MAX_COMPOUNDS = 3;
const LONGEST_TITLE = 60;
/** Weights by number of words; where nouns are compounds of several words, single ones say less. */
const BY_LENGTH = [0, 0.65, 1.3, 1.5, 1.5];
const SINGLE_WORD = 0.2;
/** Weights of names and terms, of one word and of several. */
const SINGLE_PROPER = 2.25;
const PROPER = 1.25;
/** Weights of phrases that occur once or twice in the topic. */
const SELDOM = [0, 0.05, 0.6];
/** A second phrase is worth at least this share of the first. */
const LEAST_SHARE = 0.4;

type Topic = { readonly said: readonly Weighed[] };

interface Phrase {
  readonly stems: readonly string[];
  readonly counts: number[];
  readonly forms: Map<string, number>;
}

/** The words and phrases that distinguish each topic, in their most frequent forms, without names of speakers. */
export function phrasesOf(topics: readonly Topic[], speakers: readonly string[], cues: Cues): string[][] {
  const names = new Set(speakers.flatMap((speaker) => speaker.match(/\p{L}{2,}/gu) ?? []).map(phoneticKey));
  const phrases = collect(topics, names).filter((phrase) => !cues.noTitle.test(formOf(phrase)));
  const taken = new Set<Phrase>();
  return topics.map((_, topic) => {
    const ranked = phrases
      .filter((phrase) => phrase.counts[topic]! > 0 && !taken.has(phrase))
      .map((phrase) => ({ phrase, worth: worthOf(phrase, topic, cues) }))
      .sort((one, other) => other.worth - one.worth);
    const least = cues.hasSpacedCompounds ? LEAST_SHARE * (ranked[0]?.worth ?? 0) : 0;
    const good = ranked.filter(({ worth }) => worth >= least).map(({ phrase }) => phrase);
    const chosen = choose(good, cues);
    for (const phrase of chosen) taken.add(phrase);
    return chosen.map(formOf);
  });
}

export const titleOf = (phrases: readonly string[]): string =>
  capitalized(
    phrases
      .join(', ')
      .slice(0, 2 * LONGEST_TITLE)
      .toWellFormed(),
  );

/** The first phrases that share no word and fit on one line. */
function choose(candidates: readonly Phrase[], { hasSpacedCompounds }: Cues): Phrase[] {
  const chosen: Phrase[] = [];
  for (const phrase of candidates) {
    if (chosen.length === (hasSpacedCompounds ? MAX_PHRASES : MAX_COMPOUNDS)) break;
    const length = [...chosen, phrase].map(formOf).join(', ').length;
    const isNew = !chosen.some(({ stems }) => stems.some((stem) => phrase.stems.includes(stem)));
    if (isNew && (chosen.length === 0 || length <= LONGEST_TITLE)) chosen.push(phrase);
  }
  return chosen;
}

function collect(topics: readonly Topic[], names: ReadonlySet<string>): Phrase[] {
  const phrases = new Map<string, Phrase>();
  const add = (said: readonly Word[], topic: number, weight: number) => {
    const stems = said.map(({ text, stem }) => stem ?? text);
    const phrase = phrases.get(stems.join(' ')) ?? { stems, counts: topics.map(() => 0), forms: new Map() };
    phrases.set(stems.join(' '), phrase);
    phrase.counts[topic]! += 1;
    const form = said.map(({ text }) => text).join(' ');
    phrase.forms.set(form, (phrase.forms.get(form) ?? 0) + weight);
  };
  for (const [topic, { said: sentences }] of topics.entries()) {
    for (const { words } of sentences) {
      for (const from of words.keys()) {
        for (const [place, { text, stem, joined }] of words.slice(from, from + MAX_WORDS).entries()) {
          // "Phase 1", but not "1 phase".
          const isWord = stem !== null || (place > 0 && /^\p{N}+$/u.test(text));
          const isName = /^\p{Lu}/u.test(text) && names.has(phoneticKey(text));
          if (!isWord || isName || (place > 0 && !joined)) break;
          // The beginning of a sentence has a capital anyway.
          add(words.slice(from, from + place + 1), topic, from === 0 ? 0.5 : 1);
        }
      }
    }
  }
  return [...phrases.values()];
}

/** How much a phrase distinguishes a topic from the others, and says as a title. */
function worthOf(phrase: Phrase, topic: number, { hasSpacedCompounds }: Cues): number {
  const { counts, stems } = phrase;
  const here = counts[topic]!;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const topics = counts.filter((count) => count > 0).length;
  const isProper = /^\p{Lu}|\p{N}/u.test(formOf(phrase));
  const isSingle = stems.length === 1 && hasSpacedCompounds;
  return (
    here ** 0.8 *
    (here / total + 0.3) *
    Math.log(1 + counts.length / topics) *
    (SELDOM[here] ?? 1) *
    (isSingle ? SINGLE_WORD : BY_LENGTH[stems.length]!) *
    (isProper ? (isSingle ? SINGLE_PROPER : PROPER) : 1)
  );
}

const formOf = ({ forms }: Phrase): string =>
  [...forms].reduce((one, other) => (other[1] > one[1] ? other : one))[0].replace(/['’]s$/u, '');
