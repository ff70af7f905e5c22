import { describe, expect, it } from '@jest/globals';
import { LEARNED } from '../../../src/lib/extractive-summary/learned-weights.js';
import { probability } from '../../../src/lib/extractive-summary/learned.js';
import { POINT_FEATURES } from '../../../src/lib/extractive-summary/point-features.js';
import { ACTION_FEATURES, DECISION_FEATURES } from '../../../src/lib/extractive-summary/resolutions.js';

describe('what was learned', () => {
  it.each([
    ['points', LEARNED.points, POINT_FEATURES],
    ['decisions', LEARNED.decisions, DECISION_FEATURES],
    ['action items', LEARNED.actionItems, ACTION_FEATURES],
  ] as const)('has a weight for each feature of %s, and no other', (_, { weights }, features) => {
    expect(Object.keys(weights)).toEqual([...features]);
  });

  it('gives probabilities', () => {
    const model = { bias: -1, weights: { turn: 2 } };
    expect(probability(model, ['turn'], [0.5])).toBe(0.5);
    expect(probability(model, ['turn'], [2])).toBeGreaterThan(0.9);
    expect(probability(model, ['other'], [9])).toBeCloseTo(0.269, 3);
  });
});
