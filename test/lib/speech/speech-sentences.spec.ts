import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, integer, property, record, runs } from '../../support/properties.js';
import type { Span } from '../../../src/lib/speech/passages.js';
import { splitAtPauses } from '../../../src/lib/speech/sentences.js';

const spansOf = (...times: [number, number][]): Span[] => times.map(([start, end]) => ({ start, end }));

const split = (text: string, spans: readonly Span[]): [number, number, string][] =>
  splitAtPauses(text, spans, 'en').map((piece) => [piece.start, piece.end, piece.text]);

describe('the text of a passage, without times', () => {
  it('is one segment if it is one sentence, whatever the pauses', () => {
    const text =
      'And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.';
    const spans = spansOf([0.294, 2.364], [3.302, 3.804], [4.006, 4.38], [5.382, 7.676], [8.166, 10.652]);
    expect(split(text, spans)).toEqual([[0.294, 10.652, text]]);
  });

  it('is split at the pauses between sentences, not at those within', () => {
    const question =
      'Have you tried the latest real-time diurization in Microsoft Speech Service, which can tell you who, said, what, in real-time?';
    const spans = spansOf([0.102, 1.148], [1.99, 2.972], [3.878, 8.028], [8.166, 11.484]);
    expect(split(`Good morning, Steve. Good morning, Katie. ${question}`, spans)).toEqual([
      [0.102, 1.148, 'Good morning, Steve.'],
      [1.99, 2.972, 'Good morning, Katie.'],
      [3.878, 11.484, question],
    ]);
  });

  it('keeps sentences together that are spoken without a pause', () => {
    const spans = spansOf([24.71, 25.628], [26.47, 27.388], [27.462, 28.668]);
    expect(split("Absolutely. That's exciting. Let me try it right now.", spans)).toEqual([
      [24.71, 25.628, 'Absolutely.'],
      [26.47, 28.668, "That's exciting. Let me try it right now."],
    ]);
    const text = 'Yes. No. I do not know. Ask her.';
    expect(split(text, spansOf([3, 9]))).toEqual([[3, 9, text]]);
  });

  it('is no segment without words or speech', () => {
    expect(split('', spansOf([0, 1]))).toEqual([]);
    expect(split('  ', spansOf([0, 1]))).toEqual([]);
    expect(split('Hello.', [])).toEqual([]);
  });
});

describe('the text of a passage, with times', () => {
  it('is split where the next sentence begins, however unequal the speech', () => {
    const text = 'Well. That was quick. So we can go home early today, all of us.';
    const spans = spansOf([0, 4], [4.6, 5], [5.6, 6]);
    const times = [
      { position: 0, time: 0.1 },
      { position: text.indexOf('That'), time: 3.2 },
      { position: text.indexOf('So'), time: 4.7 },
    ];
    expect(splitAtPauses(text, spans, 'en', times)).toEqual([
      { start: 0, end: 4, text: 'Well. That was quick.' },
      { start: 4.6, end: 6, text: 'So we can go home early today, all of us.' },
    ]);
  });
});

describe('any text', () => {
  const stretch = record({ pause: integer({ min: 0, max: 15 }), length: integer({ min: 1, max: 50 }) });
  const sentence = constantFrom(
    'Yes.',
    'Do you think so?',
    'I have never been there before, have you?',
    'e.g. this',
  );

  it('is complete, in order, and begins and ends with speech', () => {
    assert(
      property(
        array(stretch, { minLength: 1, maxLength: 8 }),
        array(sentence, { minLength: 1, maxLength: 8 }),
        (stretches, sentences) => {
          let time = 0;
          const spans = stretches.map(({ pause, length }) => {
            const start = (time + pause) / 10;
            time += pause + length;
            return { start, end: time / 10 };
          });
          const pieces = splitAtPauses(sentences.join(' '), spans, 'en');
          expect(pieces.map(({ text }) => text).join(' ')).toBe(sentences.join(' '));
          const starts = spans.map(({ start }) => start);
          const ends = spans.map(({ end }) => end);
          expect([pieces[0]?.start, pieces.at(-1)?.end]).toEqual([starts[0], ends.at(-1)]);
          let before = 0;
          for (const { start, end } of pieces) {
            expect(starts).toContain(start);
            expect(ends).toContain(end);
            expect(start).toBeGreaterThanOrEqual(before);
            expect(end).toBeGreaterThan(start);
            before = end;
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
