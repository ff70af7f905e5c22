import { describe, expect, it } from '@jest/globals';
import { cover } from '../../../src/lib/extractive-summary/extractive-points.js';

const at = (start: number, chance = 0.1, worth = 1) => ({ start, chance, worth });

describe('cover', () => {
  it('spreads equally probable picks', () => {
    const picked = cover(
      Array.from({ length: 61 }, (_, index) => at(index * 10)),
      4,
    );
    const starts = picked.map((index) => index * 10).sort((one, other) => one - other);
    expect(starts).toHaveLength(4);
    expect(starts.slice(1).every((start, index) => start - starts[index]! >= 60)).toBe(true);
  });

  it('picks where most is probably noted first', () => {
    const all = [at(0), at(100), at(200, 0.5), at(300), at(400, 0.3)];
    expect(cover(all, 2)).toEqual([2, 4]);
  });

  it('picks the sentence nearby that reads better', () => {
    expect(cover([at(0, 0.5, 0.4), at(4, 0.1, 1)], 1)).toEqual([1]);
  });

  it('never picks what cannot be a point, nor anything twice', () => {
    expect(cover([at(0, 1, 0), at(500), at(500)], 5)).toEqual([1]);
  });

  it('picks nothing from nothing', () => {
    expect(cover([], 5)).toEqual([]);
  });
});
