import { describe, expect, it } from '@jest/globals';
import type { Voice } from '../../../src/lib/speech/mixed-voices.js';
import { speakersOf } from '../../../src/lib/speech/mixed-voices.js';

/** A voice in the direction of an angle, in degrees. */
function voice(degrees: number, ...spans: [number, number][]): Voice {
  const angle = (degrees * Math.PI) / 180;
  return {
    spans: spans.map(([start, end]) => ({ start, end })),
    seconds: spans.reduce((sum, [start, end]) => sum + end - start, 0),
    embedding: Float32Array.of(Math.cos(angle), Math.sin(angle)),
  };
}
const shown = (voices: readonly Voice[]) =>
  speakersOf(voices).turns.map(({ start, end, speaker }) => [start, end, speaker]);

describe('the voices of a recording', () => {
  it('are one speaker as far as they are alike, in the same block or in another', () => {
    const voices = [
      voice(0, [0, 30], [50, 60]),
      voice(100, [30, 50]),
      voice(20, [60, 65]),
      voice(110, [600, 640]),
      voice(-15, [640, 660]),
    ];
    expect(shown(voices)).toEqual([
      [0, 30, 0],
      [30, 50, 1],
      [50, 60, 0],
      [60, 65, 0],
      [600, 640, 1],
      [640, 660, 0],
    ]);
  });

  it('have the direction between those of the same speaker, by how long they are heard', () => {
    const { voices } = speakersOf([voice(0, [0, 30]), voice(100, [30, 50]), voice(20, [60, 75])]);
    expect(voices.map(({ speaker, seconds }) => [speaker, seconds])).toEqual([
      [0, 45],
      [1, 20],
    ]);
    const degrees = voices.map(({ embedding: [x = 0, y = 0] }) => (Math.atan2(y, x) * 180) / Math.PI);
    expect(degrees[0]).toBeCloseTo(6.64, 2);
    expect(degrees[1]).toBeCloseTo(100, 2);
    for (const { embedding } of voices) expect(Math.hypot(...embedding)).toBeCloseTo(1, 6);
  });

  it('are known by those that speak longest', () => {
    // Each is alike to the next, but the ends are not.
    expect(
      shown([voice(50, [0, 2]), voice(0, [10, 40]), voice(100, [50, 70])]).map(([, , one]) => one),
    ).toEqual([0, 0, 1]);
  });

  it('are left out when they hardly speak', () => {
    expect(shown([voice(0, [0, 10]), voice(180, [10, 11]), voice(90, [11, 11.9], [12, 13.2])])).toEqual([
      [0, 10, 0],
      [11, 11.9, 1],
      [12, 13.2, 1],
    ]);
    expect(shown([])).toEqual([]);
  });

  it('are at most fifty speakers: those that speak most', () => {
    const dimensions = 60;
    const voices = Array.from({ length: dimensions }, (_, index): Voice => {
      const embedding = new Float32Array(dimensions);
      embedding[index] = 1;
      return {
        spans: [{ start: index * 100, end: index * 100 + 10 + index }],
        seconds: 10 + index,
        embedding,
      };
    });
    const { turns } = speakersOf(voices);
    expect(turns.map(({ start }) => start)).toEqual(
      Array.from({ length: 50 }, (_, index) => 100 * (index + 10)),
    );
    expect(new Set(turns.map(({ speaker }) => speaker)).size).toBe(50);
  });
});
