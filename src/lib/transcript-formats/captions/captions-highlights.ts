import type { Spoken } from './captions-scanner.js';

/** Seconds between two cues that show the same sentence. */
const GAP = 0.1;

/**
 * Joins cues that show one text again and again, each time with another word highlighted, as WhisperX and Whisper write
 * them: what is said once is there once. Where no word is marked, somebody repeats a sentence.
 */
export function withoutHighlights(spoken: readonly Spoken[]): readonly Spoken[] {
  if (!spoken.some(({ isMarked }) => isMarked)) return spoken;
  const sentences: Spoken[] = [];
  for (const part of spoken) {
    const last = sentences.at(-1);
    if (last && isShownAgain(last, part)) {
      const end = Math.max(last.end, part.end);
      sentences[sentences.length - 1] = { ...last, end, isMarked: last.isMarked || part.isMarked };
    } else sentences.push(part);
  }
  return sentences;
}

const isShownAgain = (last: Spoken, part: Spoken): boolean =>
  part.text === last.text &&
  part.voice === last.voice &&
  (part.isMarked || last.isMarked) &&
  Math.abs(part.start - last.end) <= GAP;
