import type { Lexemes } from '../../src/lib/extractive-summary/extractive-words.js';
import type { SpokenSegment } from '../../src/lib/transcript-formats/transcript.js';

const STOP_WORDS = new Set(
  'a an and at by could do for in is it let of on so that the this to until was we with you'.split(' '),
);

/** Takes the first five letters of words for their stems, without a database. */
export const lexemes: Lexemes = (texts) =>
  Promise.resolve(
    texts.map((text) => {
      const words = text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
      return [...new Set(words.filter((word) => !STOP_WORDS.has(word)).map((word) => word.slice(0, 5)))];
    }),
  );

/** A reply of a chat server that found neither decisions nor action items. */
export const MINUTES = { overview: ['They met.'], topics: [], decisions: [], action_items: [] };

/** Segments of a meeting, one in ten seconds: `Ada: Good morning.` */
export function spoken(...lines: string[]): SpokenSegment[] {
  return lines.map((line, id) => {
    const [, speaker = '', text = ''] = /^(.*?): (.*)$/s.exec(line) ?? [];
    return { id, start: id * 10, end: id * 10 + 9, speaker, text };
  });
}
