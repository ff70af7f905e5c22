import { describe, expect, it } from '@jest/globals';
import { cuesOf } from '../../../src/lib/extractive-summary/extractive-cues.js';
import { scoreAll } from '../../../src/lib/extractive-summary/extractive-points.js';

const scored = (text: string) =>
  scoreAll(
    [
      {
        sentence: { text, start: 0, end: 5, speaker: 'Ada', segmentIds: [0], isWhole: true },
        words: text.split(' ').map((word) => ({ text: word, stem: word, joined: true })),
        vector: new Map(Array.from({ length: 10 }, (_, at) => [String(at), 0.3])),
      },
    ],
    cuesOf('en'),
  )[0]!;

const GOOD = 'The builder will accept blocks with the new header.';

describe('reasons to quote a sentence', () => {
  it.each([
    "I'll leave it to Mehdi, who implemented the new header.",
    'Anything worth mentioning from the debugging of the builder?',
    'I was going to bring it up with the builder team.',
    'We could discuss it later in the breakout room.',
  ])('there are none for talk about the meeting: %s', (text) => {
    expect(scored(text).score).toBe(0);
    expect(scored(GOOD).score).toBeGreaterThan(0);
  });

  it.each([
    'Set to finalized instead of justified.',
    'Once the clients have implemented the new header.',
    'We see the new header as more.',
    'The builder accepts the new header and.',
  ])('there are fewer for fragments: %s', (text) => {
    expect(scored(text).clarity).toBe(scored(GOOD).clarity / 2);
  });

  it.each([
    'We have now this is on the new branch.',
    'I would assume that they are small.',
    'In that case the builder stops.',
  ])('it leans on what was said before: %s', (text) => {
    expect(scored(text).isLeaning).toBe(true);
    expect(scored(GOOD).isLeaning).toBe(false);
  });
});
