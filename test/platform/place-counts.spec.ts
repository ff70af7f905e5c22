import { describe, expect, it } from '@jest/globals';
import { PlaceCounts } from '../../src/platform/runtime/places.js';

describe('places that several processes share', () => {
  it('are as many as allowed over all processes', () => {
    const counts = new PlaceCounts<string>();
    const taken = ['a', 'b', 'a', 'b'].map((holder) => counts.take(holder, 'Ada', 3));
    expect(taken).toEqual([true, true, true, false]);
    expect(counts.take('b', 'Grace', 3)).toBe(true);
  });

  it('are free again once given back', () => {
    const counts = new PlaceCounts<string>();
    counts.take('a', 'Ada', 1);
    counts.giveBack('a', 'Ada');
    expect(counts.take('b', 'Ada', 1)).toBe(true);
    // Never more than were taken.
    counts.giveBack('a', 'Ada');
    expect(counts.take('a', 'Ada', 1)).toBe(false);
  });

  it('are free again once their holder is gone', () => {
    const counts = new PlaceCounts<string>();
    for (const holder of ['a', 'a', 'b']) counts.take(holder, 'Ada', 3);
    counts.giveBackAll('a');
    expect([1, 2, 3].map(() => counts.take('c', 'Ada', 3))).toEqual([true, true, false]);
  });
});
