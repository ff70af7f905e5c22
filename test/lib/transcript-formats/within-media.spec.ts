import { describe, expect, it } from '@jest/globals';
import { withinMedia } from '../../../src/lib/transcript-formats/within-media.js';

const segment = (start: number, end: number) => ({ start, end, text: 'a', speaker: '', confidence: 1 });
const timesOf = (duration: number, ...times: [number, number][]) =>
  withinMedia(
    times.map(([start, end]) => segment(start, end)),
    duration,
  ).segments.map(({ start, end }) => [start, end]);

describe('the times of a transcript', () => {
  it('end with the media at the latest', () => {
    expect(timesOf(9, [1, 4.2], [4.5, 10], [10, 12])).toEqual([
      [1, 4.2],
      [4.5, 9],
      [9, 9],
    ]);
    expect(timesOf(Infinity, [1, 4], [3600, 3601])).toEqual([
      [1, 4],
      [3600, 3601],
    ]);
  });

  it('lose whole hours if all of them lie beyond the media, and fit in then', () => {
    expect(timesOf(9, [3601, 3604.2], [3604.5, 3608])).toEqual([
      [1, 4.2],
      [4.5, 8],
    ]);
    expect(timesOf(4000, [36_001, 36_004], [39_605, 39_606])).toEqual([
      [1, 4],
      [3605, 3606],
    ]);
  });

  it('are named if they still lie beyond it', () => {
    const { segments, beyond } = withinMedia([segment(1, 2), segment(3601, 3604)], 9);
    expect(segments).toHaveLength(1);
    expect(beyond).toEqual([
      {
        place: 'segment 2',
        reason: 'begins at 01:00:01, after the end of the recording, which is 00:00:09 long',
      },
    ]);
    expect(withinMedia([segment(100, 101)], 9).beyond).toHaveLength(1);
  });
});
