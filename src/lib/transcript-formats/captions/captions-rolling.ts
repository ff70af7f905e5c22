import type { Spoken } from './captions-scanner.js';

/** Lines that a cue may repeat; captions on television have three. */
const REPEATED = 4;

/**
 * Whether each line appears in several cues, as in the automatic captions of YouTube: at least seven of ten cues begin
 * with what the previous one ended with, and at least three of ten then go on with another line. People who repeat each
 * other do not speak like that.
 */
export function isRolling(spoken: readonly Spoken[]): boolean {
  if (spoken.length < 3 || spoken.some(({ voice }) => voice !== null)) return false;
  let [repeating, continuing] = [0, 0];
  let before: readonly string[] = [];
  for (const { text } of spoken) {
    const lines = linesOf(text);
    const repeated = overlapOf(before, lines);
    if (repeated > 0) repeating += 1;
    if (repeated > 0 && lines.length > repeated) continuing += 1;
    before = lines;
  }
  return repeating * 10 >= (spoken.length - 1) * 7 && continuing * 10 >= (spoken.length - 1) * 3;
}

/** Each line once, with the times of the first cue that shows it. */
export function unrolled(spoken: readonly Spoken[]): Spoken[] {
  let before: readonly string[] = [];
  return spoken.flatMap((part) => {
    const lines = linesOf(part.text);
    const added = lines.slice(overlapOf(before, lines));
    before = lines;
    return added.length > 0 ? [{ ...part, text: added.join('\n') }] : [];
  });
}

function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** How many lines at the end of one text are those at the beginning of the next. */
function overlapOf(before: readonly string[], lines: readonly string[]): number {
  for (let count = Math.min(REPEATED, before.length, lines.length); count > 0; count -= 1) {
    if (before.slice(-count).every((line, index) => line === lines[index])) return count;
  }
  return 0;
}
