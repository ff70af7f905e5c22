import { describe, expect, it } from '@jest/globals';
import { linesOf, outlineOf, readLines, readOutline } from '../../../web/app/insights/summary-lines.js';

const entry = (text: string, start: number) => ({ text, start, confidence: 0.5 });
const ENTRIES = [entry('Order cakes', 1), entry('Order\n tea', 2), entry('Call the bank', 3)];
const TOPICS = [
  {
    title: 'Launch',
    start: 2,
    keyPoints: [
      { point: 'On Friday', start: 3, details: ['All green', 'Nobody objects'] },
      { point: 'No party', start: 4, details: [] },
    ],
  },
  { title: 'Budget', start: 9, keyPoints: [] },
];

describe('a summary as lines', () => {
  it('is one line for each entry', () => {
    expect(linesOf(ENTRIES)).toBe('Order cakes\nOrder tea\nCall the bank');
  });

  it('keeps what a line was made of when it is moved or corrected, and its estimate only if the text is the same', () => {
    expect(readLines('Call the bank\n\nOrder green tea\nOrder milk and cakes\nSleep', ENTRIES)).toEqual([
      ENTRIES[2],
      { text: 'Order green tea', start: 1, confidence: null },
      { text: 'Order milk and cakes', start: 2, confidence: null },
      { text: 'Sleep', confidence: null },
    ]);
  });

  it('keeps an entry that is there twice twice', () => {
    const twice = [entry('Ship it', 1), entry('Ship it', 2)];
    expect(readLines('Ship it\nShip it\nShip it', twice)).toEqual([
      ...twice,
      { text: 'Ship it', confidence: null },
    ]);
  });

  it('is an outline of topics, and back', () => {
    const outline = outlineOf(TOPICS);
    expect(outline).toBe('Launch\n- On Friday\n    - All green\n    - Nobody objects\n- No party\nBudget');
    expect(readOutline(outline, TOPICS)).toEqual(TOPICS);
  });

  it('keeps the moments of topics and points that are corrected', () => {
    expect(readOutline('The launch\n* On Monday\n\t• Maybe\n- New\n\nBudget', TOPICS)).toEqual([
      {
        title: 'The launch',
        start: 2,
        keyPoints: [
          { point: 'On Monday', start: 3, details: ['Maybe'] },
          { point: 'New', start: null, details: [] },
        ],
      },
      { title: 'Budget', start: 9, keyPoints: [] },
    ]);
  });

  it('reads thousands of rewritten lines within a second', () => {
    const before = Array.from({ length: 5_000 }, (_, index) =>
      entry(`before ${'abcdefgh'[index % 8]}`, index),
    );
    const start = performance.now();
    readLines(Array.from({ length: 5_000 }, (_, index) => `after ${index}`).join('\n'), before);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
