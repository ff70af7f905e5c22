import type { Segment } from '../transcript-formats/transcript.js';
import type { SpeechState } from './heard-speech.js';

/** Seconds of speech, and how much of it gave no words. */
export type SpeechAmount = Pick<SpeechState, 'speechSeconds' | 'wordlessSeconds'>;

/** Seconds of speech below which nothing can be said about the whole. */
const SHORTEST = { anything: 3, shares: 15 } as const;
const LIMITS = {
  /** Share of the speech that may give no words. */
  wordless: 0.35,
  /** Words in a minute of speech; slow speakers say a hundred. */
  wordsPerMinute: 50,
  /** Share of characters that are neither letters, digits, punctuation nor blanks. */
  oddCharacters: 0.1,
  /** Share of phrases of three words that occurred shortly before. */
  repeatedPhrases: 0.5,
} as const;
/** Phrases needed to judge repetitions. */
const ENOUGH_PHRASES = 60;
/** Models that lose track repeat themselves at once; what comes again after more phrases than this was said again. */
const RECENT_PHRASES = 50;

/** Why the words are probably not what was said; null if there is no reason to doubt them. */
export function doubtAbout(
  segments: readonly Segment[],
  { speechSeconds, wordlessSeconds }: SpeechAmount,
): string | null {
  if (speechSeconds < SHORTEST.anything) return null;
  if (segments.length === 0) return 'no words were recognized in the speech';
  if (speechSeconds < SHORTEST.shares) return null;
  const text = segments.map((segment) => segment.text).join(' ');
  const words = text.toLowerCase().split(/\s+/);
  const wordless = wordlessSeconds / speechSeconds;
  if (wordless > LIMITS.wordless) return `no words were recognized in ${percent(wordless)} of the speech`;
  const pace = (60 * words.length) / speechSeconds;
  if (pace < LIMITS.wordsPerMinute && !isScript(text))
    return `only ${Math.round(pace)} words were recognized in a minute of speech`;
  const odd = share(text, /[^\p{L}\p{M}\p{N}\p{P}\p{Zs}$€£+=°%]/gu);
  if (odd > LIMITS.oddCharacters) return `${percent(odd)} of the characters are not part of words`;
  const repeated = repeatedPhrases(words);
  if (repeated > LIMITS.repeatedPhrases) return `${percent(repeated)} of the phrases are repetitions`;
  return null;
}

/** Languages such as Chinese and Japanese do not separate words. */
const isScript = (text: string): boolean =>
  share(text, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu) > LIMITS.wordless;

const share = (text: string, pattern: RegExp): number => (text.match(pattern)?.length ?? 0) / text.length;

const percent = (fraction: number): string => `${Math.round(100 * fraction)} %`;

function repeatedPhrases(words: readonly string[]): number {
  const phrases = words.length - 2;
  if (phrases < ENOUGH_PHRASES) return 0;
  const places = new Map<string, number>();
  let repeated = 0;
  for (let place = 0; place < phrases; place++) {
    const phrase = words.slice(place, place + 3).join(' ');
    if (place - (places.get(phrase) ?? -Infinity) <= RECENT_PHRASES) repeated += 1;
    places.set(phrase, place);
  }
  return repeated / phrases;
}
