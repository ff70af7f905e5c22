import { isDense } from '../language/dense-scripts.js';
import { phoneticKey } from './names.js';
import type { Weighed } from './extractive-words.js';
import type { ResolutionCues } from './resolution-cues.js';

/** Seconds within which who is asked answers. */
const SOON = 15;
const NAME = /\p{Lu}[\p{L}\p{M}]+/gu;

/** Who speaks in the meeting, by each part of the name as it sounds; empty if several people share it. */
export type Speakers = ReadonlyMap<string, string>;

export function speakersByName(labels: readonly string[]): Speakers {
  const names = new Map<string, string>();
  for (const label of labels) {
    for (const word of label.match(/\p{L}{2,}/gu) ?? []) {
      const key = phoneticKey(word);
      names.set(key, [label, undefined].includes(names.get(key)) ? label : '');
    }
  }
  return names;
}

/**
 * Who is to do what the sentence says: who is named or addressed, the speaker of "I will", or who agrees right after being
 * asked. Null if nobody in particular is ("we", "all teams").
 */
export function ownerOf(
  said: readonly Weighed[],
  index: number,
  { cues, speakers }: { cues: ResolutionCues; speakers: Speakers },
): string | null {
  const { text, speaker, start } = said[index]!.sentence;
  const named = namedIn(text, cues, speakers);
  if (named !== null) return named;
  if (cues.self.test(text)) return speaker || null;
  if (cues.promised.test(text)) return null;
  const next = said[index + 1]?.sentence;
  const agrees =
    /[?？]$/u.test(text) &&
    next !== undefined &&
    next.speaker !== speaker &&
    next.start - start <= SOON &&
    (cues.self.test(next.text) || cues.accepted.test(next.text));
  return agrees ? next.speaker || null : null;
}

/** What may be names, with their places: words in upper case and, in scripts without case or spaces, those of speakers. */
function namesIn(text: string, speakers: Speakers): (readonly [name: string, from: number])[] {
  const words = Array.from(text.matchAll(NAME), (match) => [match[0], match.index] as const);
  if (!isDense(text)) return words;
  const labels = [...new Set(speakers.values())].flatMap((label) => label.match(/\p{L}{2,}/gu) ?? []);
  const names = labels.filter(isDense).map((name) => [name, text.indexOf(name)] as const);
  return [...words, ...names.filter(([, from]) => from >= 0)];
}

/** The speaker who is addressed ("Ada, can you", or at the end of a question) or expected to do something ("Ada will"). */
export function namedIn(text: string, { afterName }: ResolutionCues, speakers: Speakers): string | null {
  for (const [name, from] of namesIn(text, speakers)) {
    const [before, rest] = [text.slice(0, from), text.slice(from + name.length)];
    if (!afterName.test(rest) && !(/^[?.]?$/u.test(rest) && before.endsWith(', '))) continue;
    const found = speakers.get(phoneticKey(name));
    if (found) return found;
  }
  return null;
}
