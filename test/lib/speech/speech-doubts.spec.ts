import { describe, expect, it } from '@jest/globals';
import { doubtAbout, type SpeechAmount } from '../../../src/lib/speech/doubts.js';

/** Segments of ten words. */
function segmentsOf(text: string) {
  const words = text.split(' ');
  const lines = Array.from({ length: Math.ceil(words.length / 10) }, (_, line) =>
    words.slice(10 * line, 10 * line + 10).join(' '),
  );
  return lines.map((line, index) => ({
    start: index,
    end: index + 1,
    text: line,
    speaker: '',
    confidence: 1,
  }));
}

const doubt = (text: string | null, amount: Partial<SpeechAmount>): string | null =>
  doubtAbout(text === null ? [] : segmentsOf(text), { speechSeconds: 60, wordlessSeconds: 0, ...amount });

/** So many different words. */
const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `word${index}`).join(' ');

describe('a transcript', () => {
  it.each([
    ['an ordinary pace', words(150)],
    ['a slow pace', words(50)],
    [
      'prices and marks',
      `${words(100)} It costs 3,50 € – 20 % less, "really"? (Yes; 1 + 1 = 2.) C'est ça, où ?`,
    ],
    ['a script without blanks', '我们今天讨论的是第二季度的预算和下一步的工作安排。'.repeat(3)],
    ['a text that is read three times', Array.from({ length: 3 }, () => words(60)).join(' ')],
    ['a phrase that is repeated now and then', `${words(90)} you know what ${words(60)} you know what`],
  ])('is not doubted for %s', (_, text) => {
    expect(doubt(text, {})).toBeNull();
  });

  it.each([
    ['no words', null, {}, 'no words were recognized in the speech'],
    [
      'no words in 4 s',
      null,
      { speechSeconds: 4, wordlessSeconds: 4 },
      'no words were recognized in the speech',
    ],
    [
      'much speech without words',
      words(100),
      { wordlessSeconds: 24 },
      'no words were recognized in 40 % of the speech',
    ],
    ['few words', words(49), {}, 'only 49 words were recognized in a minute of speech'],
    [
      'few words in 20 s',
      words(10),
      { speechSeconds: 20 },
      'only 30 words were recognized in a minute of speech',
    ],
    [
      'odd characters',
      `${words(60)} ${'♪ ♫ ★ ^ <> '.repeat(20)}`,
      {},
      expect.stringMatching(/^1\d % of the characters are not part of words$/),
    ],
    [
      'a sentence said again and again',
      `${words(40)} ${'and that is what we did in the second half of the year '.repeat(9)}`.trim(),
      {},
      expect.stringMatching(/^6\d % of the phrases are repetitions$/),
    ],
    ['repetitions', 'we go on '.repeat(30).trim(), {}, '97 % of the phrases are repetitions'],
  ])('is doubted for %s', (_, text, amount, reason) => {
    expect(doubt(text, amount)).toEqual(reason);
  });

  it('of a few seconds is not judged', () => {
    expect(doubt(null, { speechSeconds: 2.9, wordlessSeconds: 2.9 })).toBeNull();
    expect(doubt('Hm.', { speechSeconds: 14.9 })).toBeNull();
    expect(doubt(null, { speechSeconds: 0 })).toBeNull();
  });
});
