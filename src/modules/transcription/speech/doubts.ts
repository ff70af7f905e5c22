import type { TranscribedSegment } from '../transcriber.js';

/** Seconds of speech, and how much of it gave no words. */
export interface SpeechAmount {
  readonly speechSeconds: number;
  readonly wordlessSeconds: number;
}

/** Below so many seconds of speech nothing can be said about the whole. */
const SHORTEST = { anything: 3, shares: 15 } as const;
const LIMITS = {
  /** Share of the speech that may give no words. */
  wordless: 0.35,
  /** Words in a minute of speech; slow speakers say a hundred. */
  wordsPerMinute: 50,
} as const;

/** Why the words are probably not what was said; null if there is no reason to doubt them. */
export function doubtAbout(
  segments: readonly TranscribedSegment[],
  { speechSeconds, wordlessSeconds }: SpeechAmount,
): string | null {
  if (speechSeconds < SHORTEST.anything) return null;
  if (segments.length === 0) return 'no words were recognized in the speech';
  if (speechSeconds < SHORTEST.shares) return null;
  const text = segments.map((segment) => segment.text).join(' ');
  const wordless = wordlessSeconds / speechSeconds;
  if (wordless > LIMITS.wordless) return `no words were recognized in ${percent(wordless)} of the speech`;
  const pace = (60 * text.split(/\s+/).length) / speechSeconds;
  if (pace < LIMITS.wordsPerMinute && !isScript(text)) {
    return `only ${Math.round(pace)} words were recognized in a minute of speech`;
  }
  return null;
}

/** Languages such as Chinese and Japanese do not separate words. */
function isScript(text: string): boolean {
  const letters = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu);
  return (letters?.length ?? 0) > LIMITS.wordless * text.length;
}

const percent = (fraction: number): string => `${Math.round(100 * fraction)} %`;
