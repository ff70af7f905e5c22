import { phoneticKey } from './names.js';
import type { Weighed } from './extractive-words.js';
import type { ResolutionCues } from './resolution-cues.js';

/** Seconds within which who is asked answers. */
const SOON = 15;
const NAME = /\p{Lu}[\p{L}\p{M}]+/gu;

/**
 * Who is to do what the sentence says: who is named or addressed ("Ada, can you", "Ada will"), the speaker of "I will", or
 * who agrees right after being asked. Null if nobody in particular is ("we", "all teams").
 */
export function ownerOf(
  said: readonly Weighed[],
  index: number,
  { cues, speakers }: { cues: ResolutionCues; speakers: readonly string[] },
): string | null {
  const { text, speaker, start } = said[index]!.sentence;
  const named = namedIn(text, cues, speakers);
  if (named !== null) return named;
  const promise = cues.promised.exec(text);
  if (promise) return cues.self.test(promise[0]) ? speaker || null : null;
  const next = said[index + 1]?.sentence;
  const agrees =
    /[?？]$/u.test(text) &&
    next !== undefined &&
    next.speaker !== speaker &&
    next.start - start <= SOON &&
    (cues.self.test(next.text) || cues.accepted.test(next.text));
  return agrees ? next.speaker || null : null;
}

/** The speaker whose name is followed by what is asked or expected of them, or ends a question. */
function namedIn(text: string, { afterName }: ResolutionCues, speakers: readonly string[]): string | null {
  for (const match of text.matchAll(NAME)) {
    const rest = text.slice(match.index + match[0].length);
    const isAddressed =
      afterName.test(rest) || (/^[?.]?$/u.test(rest) && /, $/u.test(text.slice(0, match.index)));
    if (!isAddressed) continue;
    const key = phoneticKey(match[0]);
    const found = speakers.find((speaker) =>
      (speaker.match(/\p{L}{2,}/gu) ?? []).some((word) => phoneticKey(word) === key),
    );
    if (found !== undefined) return found;
  }
  return null;
}
