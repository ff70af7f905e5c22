import { firstAt, type Members } from '../json-values.js';
import type { Said } from './json-words.js';

const NO_WORD = /[^\p{L}\p{N}]*/uy;
const MARKS = /[.,?!;:。、？！…]$/;

/**
 * Words with the punctuation of the text beside them, if they have none themselves, as OpenAI returns them. As they are
 * if they are not the words of the text.
 */
export function spokenTexts(words: readonly Said[], beside: Members | undefined): readonly Said[] {
  const whole = firstAt(beside, ['text', 'transcript']);
  if (typeof whole !== 'string' || words.some(({ text }) => MARKS.test(text))) return words;
  const starts: number[] = [];
  let at = 0;
  for (const { text } of words) {
    const word = text.trim();
    if (!whole.startsWith(word, at)) {
      NO_WORD.lastIndex = at;
      NO_WORD.exec(whole);
      at = NO_WORD.lastIndex;
    }
    if (word === '' || whole.slice(at, at + word.length).toLowerCase() !== word.toLowerCase()) return words;
    starts.push(at);
    at += word.length;
  }
  return words.map((word, index) => {
    const piece = whole.slice(index === 0 ? 0 : starts[index], starts[index + 1]);
    return { ...word, text: /^\s/.test(word.text) ? ` ${piece.trim()}` : piece.trim() };
  });
}
