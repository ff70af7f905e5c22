import type { Weighed } from './extractive-words.js';
import { phoneticKey } from './names.js';

const MAX_WORDS = 3;
const MAX_PHRASES = 3;
const LONGEST_TITLE = 60;
/** A single word counts less if it occurs less than once in so many sentences. */
const SENTENCES_EACH = 20;
const JOINT = '\u0001';

interface Phrase {
  readonly stems: readonly string[];
  /** Occurrences in each topic. */
  readonly counts: number[];
  /** Occurrences of each form, by topic. */
  readonly forms: Map<string, number>;
  /** Occurrences after the beginning of a sentence, and how many of these began with a capital. */
  inside: number;
  capital: number;
}

/**
 * A title for each topic: the words and phrases that distinguish it, each in its most frequent form, without names of
 * speakers. Empty if nothing is left.
 */
export function titlesOf(topics: readonly (readonly Weighed[])[], speakers: readonly string[]): string[] {
  const names = new Set(speakers.flatMap((speaker) => speaker.match(/\p{L}{2,}/gu) ?? []).map(phoneticKey));
  const phrases = collect(topics, names);
  const taken = new Set<string>();
  return topics.map((said, topic) => {
    const candidates = best(phrases, topic, said.length);
    const fresh = candidates.filter(({ stems }) => !taken.has(stems.join(JOINT)));
    const chosen = choose(fresh.length > 0 ? fresh : candidates);
    for (const { stems } of chosen) taken.add(stems.join(JOINT));
    const title = chosen
      .map(formOf)
      .join(', ')
      .slice(0, 2 * LONGEST_TITLE)
      .toWellFormed();
    return title.charAt(0).toUpperCase() + title.slice(1);
  });
}

/** Phrases that share no word and fit on one line. */
function choose(candidates: readonly Phrase[]): Phrase[] {
  const chosen: Phrase[] = [];
  for (const phrase of candidates) {
    if (chosen.some(({ stems }) => stems.some((stem) => phrase.stems.includes(stem)))) continue;
    const length = [...chosen, phrase].map(formOf).join(', ').length;
    if (chosen.length > 0 && length > LONGEST_TITLE) continue;
    chosen.push(phrase);
    if (chosen.length === MAX_PHRASES) break;
  }
  return chosen;
}

function collect(topics: readonly (readonly Weighed[])[], names: ReadonlySet<string>): Phrase[] {
  const phrases = new Map<string, Phrase>();
  topics.forEach((topic, index) => {
    for (const { words } of topic) {
      words.forEach((_, from) => {
        const stems: string[] = [];
        for (let to = from; to < words.length && stems.length < MAX_WORDS; to += 1) {
          const { stem, text, joined } = words[to]!;
          if (stem === null || isName(text, names) || (to > from && !joined)) break;
          if (stems.includes(stem)) break;
          stems.push(stem);
          const form = words
            .slice(from, to + 1)
            .map((word) => word.text)
            .join(' ');
          note(phrases, stems, form, { index, count: topics.length, first: from === 0 });
        }
      });
    }
  });
  return [...phrases.values()];
}

/** Transcribed names are often misspelled: "Kareem" for Karim, "Yannick" for Jannik. */
function isName(word: string, names: ReadonlySet<string>): boolean {
  return /^\p{Lu}/u.test(word) && names.has(phoneticKey(word));
}

function note(
  phrases: Map<string, Phrase>,
  stems: readonly string[],
  form: string,
  where: { index: number; count: number; first: boolean },
): void {
  const key = stems.join(JOINT);
  let phrase = phrases.get(key);
  if (!phrase) {
    phrase = {
      stems: [...stems],
      counts: Array.from({ length: where.count }, () => 0),
      forms: new Map(),
      inside: 0,
      capital: 0,
    };
    phrases.set(key, phrase);
  }
  phrase.counts[where.index]! += 1;
  phrase.forms.set(form, (phrase.forms.get(form) ?? 0) + (where.first ? 0.5 : 1));
  if (where.first) return;
  phrase.inside += 1;
  if (/^\p{Lu}/u.test(form)) phrase.capital += 1;
}

/** The phrases that distinguish a topic from the others, best first. */
function best(phrases: readonly Phrase[], topic: number, sentences: number): Phrase[] {
  return phrases
    .filter(({ counts }) => counts[topic]! > 0)
    .map((phrase) => ({
      phrase,
      worth:
        worthOf(phrase, topic) *
        (phrase.counts[topic]! > 1 ? 1 : 0.1) *
        (isRareWord(phrase, topic, sentences) ? 0.6 : 1),
    }))
    .sort((one, other) => other.worth - one.worth)
    .slice(0, 40)
    .map(({ phrase }) => phrase);
}

function isRareWord({ stems, counts }: Phrase, topic: number, sentences: number): boolean {
  return stems.length === 1 && counts[topic]! * SENTENCES_EACH < sentences;
}

function worthOf({ stems, counts, inside, capital, forms }: Phrase, topic: number): number {
  const here = counts[topic]!;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const elsewhere = counts.filter((count, at) => at !== topic && count > 0).length;
  const rarity = Math.log(1 + counts.length / (1 + elsewhere));
  const isProper = capital * 2 > inside || [...forms.keys()].some((form) => /\p{N}/u.test(form));
  return (
    here ** 0.7 *
    (here / total + 0.2) *
    rarity *
    (1 + 0.45 * (stems.length - 1)) *
    (isProper ? 1.4 : stems.length === 1 ? 0.6 : 1)
  );
}

function formOf({ forms }: Phrase): string {
  const [form] = [...forms].reduce((one, other) => (other[1] > one[1] ? other : one));
  return form.replace(/['’]s$/u, '');
}
