import { clockTime } from '../../platform/clock-time.js';
import type { Answer } from './answer.js';
import type { Passage } from './passages.js';

const NOTHING = 'Nothing in the transcript matches the question.';

/** Presents the passages themselves as the answer, in order of rank. */
export function answerOfPassages(passages: readonly Passage[]): Answer {
  const lines = passages.map(
    ({ speaker, start, quote }) =>
      `${speaker ? `${speaker} (${clockTime(start)})` : clockTime(start)}: "${quote}"`,
  );
  return {
    mode: 'passages',
    text: lines.join('\n') || NOTHING,
    citations: passages.map(({ id, start, end, speaker, quote }) => ({ id, start, end, speaker, quote })),
  };
}
