import { AUTO, readLanguage } from '../../language/language-codes.js';

/** The members of an object in JSON. */
export type Members = Readonly<Record<string, unknown>>;

export const membersOf = (value: unknown): Members | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;

/** The member at a path, such as `alternatives.0.content`. */
export function memberAt(value: unknown, path: string): unknown {
  let within = value;
  for (const name of path.includes('.') ? path.split('.') : [path])
    within = typeof within === 'object' && within !== null ? (within as Members)[name] : undefined;
  return within;
}

/** The member at the first of several paths that has one; an empty text only if no other is there. */
export function firstAt(value: unknown, paths: readonly string[]): unknown {
  let empty: '' | undefined;
  for (const path of paths) {
    const member = memberAt(value, path) ?? undefined;
    if (member === '') empty = member;
    else if (member !== undefined) return member;
  }
  return empty;
}

/** The items of a list; an empty list if the value is none. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Confidence as a number from 0 to 1; undefined if the value is none. */
function shareOf(value: unknown): number | undefined {
  const share = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof share === 'number' && share >= 0 && share <= 1 ? share : undefined;
}

/** The mean of the confidences that are known, to four digits; undefined if none is. */
export function meanShare(values: readonly unknown[]): number | undefined {
  const shares = values.map(shareOf).filter((share) => share !== undefined);
  const sum = shares.reduce((all, share) => all + share, 0);
  return shares.length === 0 ? undefined : Math.round((sum / shares.length) * 10_000) / 10_000;
}

/** Whisper and ElevenLabs give the mean log probability of tokens. */
export const likelihoodOf = (logarithm: unknown): number | undefined =>
  typeof logarithm === 'number' ? Math.min(1, Math.exp(logarithm)) : undefined;

/** The confidence that an item states at one of the paths; 0 means that it is not known. */
export function confidenceAt(item: unknown, paths: readonly string[]): number | undefined {
  const at = (areLogs: boolean): unknown =>
    firstAt(
      item,
      paths.filter((path) => path.endsWith('logprob') === areLogs),
    );
  return shareOf(at(false)) || likelihoodOf(at(true));
}

const OF_WORDS = ['confidence', 'score', 'probability', 'conf', 'p', 'alternatives.0.confidence'];
/** Tokens that are not part of the text, such as `[_BEG_]` and `[_TT_150]`. */
const SPECIAL = /^\s*\[_[A-Za-z]+_\d*\]/;

export function confidenceOfWords(words: readonly unknown[]): number | undefined {
  const spoken = words.filter((word) => !SPECIAL.test(String(memberAt(word, 'text'))));
  return meanShare(spoken.map((word) => confidenceAt(word, OF_WORDS)));
}

/** `Speaker 0` for a number, `Speaker A` for a letter; names stay as written. */
export function speakerLabel(value: unknown): string {
  if (typeof value === 'number') return `Speaker ${value}`;
  // `UU` is a speaker whom Speechmatics does not know.
  if (typeof value !== 'string' || value === '?' || value === 'UU') return '';
  return /^(?:[A-Za-z]|\d{1,4})$/.test(value) ? `Speaker ${value}` : value;
}

/** The code of a language given as `en`, `en_us` or `eng`, or by its name; null if it is none of them. */
export function foreignLanguage(value: unknown): string | null {
  const language = typeof value === 'string' ? readLanguage(value) : null;
  return language === AUTO ? null : language;
}
