import { AUTO, readLanguage } from '../../language/language-codes.js';
import { firstAt, memberAt } from '../json-values.js';

/** Confidence as a number from 0 to 1; undefined if the value is none. */
export function shareOf(value: unknown): number | undefined {
  const share = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof share === 'number' && share >= 0 && share <= 1 ? share : undefined;
}

/** The mean of the confidences that are known, to four digits; undefined if none is. */
export function meanShare(values: Iterable<unknown>): number | undefined {
  let [sum, count] = [0, 0];
  for (const value of values) {
    const share = shareOf(value);
    if (share === undefined) continue;
    sum += share;
    count += 1;
  }
  return count === 0 ? undefined : Math.round((sum / count) * 10_000) / 10_000;
}

/** Whisper and ElevenLabs give the mean log probability of tokens. */
export function likelihoodOf(logarithm: unknown): number | undefined {
  return typeof logarithm === 'number' ? Math.min(1, Math.exp(logarithm)) : undefined;
}

/** The confidence that an item states at one of the paths; 0 means that it is not known. */
export function confidenceAt(item: unknown, paths: readonly string[]): number | undefined {
  const plain = paths.filter((path) => !path.endsWith('logprob'));
  const known = shareOf(firstAt(item, plain)) || undefined;
  return (
    known ??
    likelihoodOf(
      firstAt(
        item,
        paths.filter((path) => path.endsWith('logprob')),
      ),
    )
  );
}

const OF_WORDS = ['confidence', 'score', 'probability', 'conf', 'p', 'alternatives.0.confidence'];
/** Tokens that are not part of the text, such as `[_BEG_]` and `[_TT_150]`. */
const SPECIAL = /^\s*\[_[A-Za-z]+_\d*\]/;

export const confidenceOfWords = (words: readonly unknown[]): number | undefined =>
  meanShare(
    words
      .filter((word) => !SPECIAL.test(String(memberAt(word, 'text'))))
      .map((word) => confidenceAt(word, OF_WORDS)),
  );

/** `Speaker 0` for a number, `Speaker A` for a letter; names stay as written. */
export function speakerLabel(value: unknown): string {
  if (typeof value === 'number') return `Speaker ${value}`;
  // `UU` is a speaker whom Speechmatics does not know.
  if (typeof value !== 'string' || value === '?' || value === 'UU') return '';
  return /^(?:[A-Za-z]|\d{1,4})$/.test(value) ? `Speaker ${value}` : value;
}

/** Names of channels come before those of speakers; numbers only if there are several, and before numbers. */
export function channelLabel(label: string, channel: unknown, several: boolean): string {
  const isName = typeof channel === 'string' && !/^\d+$/.test(channel);
  if (channel === undefined || !(isName || (several && /^(?:Speaker \w+)?$/.test(label)))) return label;
  return [isName ? channel : `Channel ${String(channel)}`, label].filter(Boolean).join(', ');
}

/** The code of a language given as `en`, `en_us` or `eng`, or by its name; null if it is none of them. */
export function foreignLanguage(value: unknown): string | null {
  const language = typeof value === 'string' ? readLanguage(value) : null;
  return language === AUTO ? null : language;
}
