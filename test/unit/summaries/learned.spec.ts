import { describe, expect, it } from '@jest/globals';
import { cuesOf } from '../../../src/lib/extractive-summary/extractive-cues.js';
import { explicitIn } from '../../../src/lib/extractive-summary/explicit-resolutions.js';
import { LEARNED } from '../../../src/lib/extractive-summary/learned-weights.js';
import { pick, scoresOf } from '../../../src/lib/extractive-summary/learned.js';
import { momentsOf, rowsOf } from '../../../src/lib/extractive-summary/learned.js';
import { resolutionCuesOf } from '../../../src/lib/extractive-summary/resolution-cues.js';
import type { Weighed } from '../../../src/lib/extractive-summary/extractive-words.js';

const CERTAIN = { most: 5, apart: 120, further: 0, confidence: { bias: 0, slope: 1 }, least: 0.5 };

/** What was said, as `[start, speaker, text]`. */
function heard(lines: readonly (readonly [start: number, speaker: string, text: string])[]): Weighed[] {
  return lines.map(([start, speaker, text], id) => ({
    sentence: { text, start, end: start + 2, speaker, segmentIds: [id], isWhole: true },
    words: [],
    vector: new Map(),
  }));
}

const momentsIn = (said: readonly Weighed[]) => {
  const talk = cuesOf('en');
  return momentsOf(said, talk, explicitIn(said, resolutionCuesOf('en')!, { talk, speakers: new Map() }));
};
const rowsIn = (said: readonly Weighed[]) => [...rowsOf(said, momentsIn(said))];

describe('what was learned', () => {
  it.each(['points', 'decisions', 'actionItems'] as const)('has a weight for each column of %s', (name) => {
    const [row] = rowsIn(heard([[0, 'Ada', 'We agreed to ship it.']]));
    expect(LEARNED[name].weights).toHaveLength(row!.length);
  });

  it('expects a decision where somebody asks, others assent, and the chair closes', () => {
    const talk = (from: number) =>
      Array.from({ length: 40 }, (_, at) => {
        const line = [
          from + 5 * at,
          at % 3 ? 'Bo' : 'Ada',
          'The tables of the cluster are large, you know.',
        ] as const;
        return line;
      });
    const agreed = [
      [400, 'Ada', 'Should we go with the second option for now?'],
      [404, 'Bo', 'Sounds good to me, I agree.'],
      [408, 'Ada', "No objections? Then let's go with that, and defer the rest to the next call."],
    ] as const;
    const said = heard([...talk(0), ...agreed, ...talk(600)]);
    const { decisions } = scoresOf(said, momentsIn(said), LEARNED);
    const [best] = pick(
      said.map(({ sentence }) => sentence.start),
      decisions,
      { ...CERTAIN, least: 0 },
    );
    expect(said[best!.index]!.sentence.start).toBeGreaterThanOrEqual(390);
    expect(said[best!.index]!.sentence.start).toBeLessThanOrEqual(420);
  });
});

describe('moments of a meeting', () => {
  it('count what is said around them, the less the farther it is', () => {
    const at = (start: number) =>
      rowsIn(
        heard([
          [0, 'Ada', 'x'],
          [100, 'Bo', 'We agreed.'],
          [start, 'Ada', 'x'],
        ]),
      ).at(-1)!;
    const none = rowsIn(
      heard([
        [0, 'Ada', 'x'],
        [100, 'Bo', 'x'],
        [110, 'Ada', 'x'],
      ]),
    ).at(-1)!;
    const near = at(110);
    const cue = near.findIndex((value, column) => value > none[column]!);
    expect(near[cue]).toBeCloseTo(Math.sqrt(1 - 10 / 90), 6);
    expect(at(175)[cue]).toBeCloseTo(Math.sqrt(1 - 75 / 90), 6);
    expect(at(191)[cue]).toBe(0);
  });

  it('take no English words for cues in another language', () => {
    const lines = [
      [0, 'Ada', 'We agreed to go with that.'],
      [5, 'Bo', 'No objections, sounds good.'],
    ] as const;
    const weights = LEARNED.decisions.weights.map((_, column) => (column < 40 ? 1 : 0));
    const sum = (rows: readonly (readonly number[])[]) =>
      rows.flat().reduce((total, value, at) => total + value * weights[at % weights.length]!, 0);
    const said = heard(lines);
    expect(sum(rowsIn(said))).toBeGreaterThan(1);
    expect(sum([...rowsOf(said, momentsOf(said, cuesOf('en'), null))])).toBe(0);
  });
});

describe('picks', () => {
  it('are the best ones that are more than two minutes apart, and at most five', () => {
    const starts = [0, 60, 200, 400, 600, 800, 1000];
    const scores = [1, 3, 2, 1, 1, 1, 1];
    expect(pick(starts, scores, CERTAIN).map(({ index }) => index)).toEqual([1, 2, 3, 4, 5]);
  });

  it('need more for each further one, and have the confidence of their score', () => {
    const picks = pick([0, 200, 400], [2, 1, 0.5], { ...CERTAIN, further: 1 });
    expect(picks.map(({ confidence }) => confidence)).toEqual([1 / (1 + Math.exp(-2)), 0.5]);
  });
});
