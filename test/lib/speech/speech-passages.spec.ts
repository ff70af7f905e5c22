import { describe, expect, it } from '@jest/globals';
import { array, assert, integer, property, record, runs } from '../../support/properties.js';
import { PassageBuilder, type Passage, type Span } from '../../../src/lib/speech/passages.js';

const LONGEST = 16;
const PADDING = 0.4;

const spansOf = (...times: [number, number][]): Span[] => times.map(([start, end]) => ({ start, end }));

/** All passages of speech in a recording that ends a minute after it. */
function passages(spans: readonly Span[], from = 0): Passage[] {
  const builder = new PassageBuilder(from);
  return [...spans.flatMap((span) => builder.add(span)), ...builder.end((spans.at(-1)?.end ?? 0) + 60)];
}

const timesOf = (found: readonly Passage[]): number[][][] =>
  found.map(({ spans }) => spans.map(({ start, end }) => [start, end]));

describe('speech is joined into passages', () => {
  it('with the pauses between, and 0.4 s around it', () => {
    const spans = spansOf([5, 6], [7, 9], [10.4, 12]);
    expect(passages(spans)).toEqual([{ audio: { start: 4.6, end: 12.4 }, spans }]);
  });

  it('that end at a pause of 1.5 s', () => {
    const times: [number, number][] = [
      [1, 2],
      [3.4, 4],
      [5.5, 7],
    ];
    expect(timesOf(passages(spansOf(...times)))).toEqual([[times[0], times[1]], [times[2]]]);
  });
});

describe('a passage that would be longer than 16 s', () => {
  it('is cut at its longest pause, in the middle if that is short', () => {
    const times: [number, number][] = [
      [1, 8],
      [8.2, 10],
      [10.6, 14],
      [14.3, 18],
    ];
    const found = passages(spansOf(...times));
    expect(timesOf(found)).toEqual([
      [times[0], times[1]],
      [times[2], times[3]],
    ]);
    expect(found.map(({ audio }) => audio)).toEqual([
      { start: 0.6, end: expect.closeTo(10.3) },
      { start: expect.closeTo(10.3), end: 18.4 },
    ]);
  });

  it('is cut into equal parts if it has no pause', () => {
    const found = passages([{ start: 10, end: 50 }]);
    expect(found.map(({ spans }) => spans)).toEqual([
      [{ start: 10, end: expect.closeTo(23.333, 3) }],
      [{ start: expect.closeTo(23.333, 3), end: expect.closeTo(36.667, 3) }],
      [{ start: expect.closeTo(36.667, 3), end: 50 }],
    ]);
    expect(found.map(({ audio }) => audio)).toEqual([
      { start: 9.6, end: expect.closeTo(23.333, 3) },
      { start: expect.closeTo(23.333, 3), end: expect.closeTo(36.667, 3) },
      { start: expect.closeTo(36.667, 3), end: 50.4 },
    ]);
  });
});

describe('any speech', () => {
  /** Eighths of a second, which numbers represent exactly. */
  const stretches = array(
    record({ pause: integer({ min: 0, max: 30 }), length: integer({ min: 1, max: 128 }) }),
    { maxLength: 60 },
  );

  it('is in exactly one passage, in order, in audio that is disjoint and at most 16.8 s long', () => {
    assert(
      property(stretches, integer({ min: 0, max: 30 }), (given, waiting) => {
        let time = 0;
        const spans = given.map(({ pause, length }) => {
          const start = (time + pause) / 8;
          time += pause + length;
          return { start, end: time / 8 };
        });
        const builder = new PassageBuilder(0);
        const found: Passage[] = [];
        let last = 0;
        for (const span of spans) {
          // Time passes before the next stretch is found.
          found.push(...builder.advance(Math.min(last + waiting / 8, span.start)), ...builder.add(span));
          last = span.end;
        }
        found.push(...builder.end(last + waiting / 8));

        expect(found.flatMap((passage) => passage.spans)).toEqual(spans);
        let end = 0;
        for (const { audio, spans: spoken } of found) {
          expect(audio.start).toBeGreaterThanOrEqual(end);
          expect(audio.start).toBeLessThanOrEqual(spoken[0]!.start);
          expect(audio.end).toBeGreaterThanOrEqual(spoken.at(-1)!.end);
          expect(audio.end - audio.start).toBeLessThanOrEqual(LONGEST + 2 * PADDING + 1e-6);
          end = audio.end;
        }
      }),
      { numRuns: runs(50) },
    );
  });
});
