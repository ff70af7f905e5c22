import { describe, expect, it } from '@jest/globals';
import { muteFilters } from '../../../src/lib/media-engine/audio/mute.js';

const condition = (ranges: Parameters<typeof muteFilters>[0]): string =>
  /enable='(.*)'$/.exec(muteFilters(ranges, 48_000))?.[1] ?? '';

describe('the filters that mute passages', () => {
  it('decide a hundred times a second', () => {
    expect(muteFilters([{ start: 1, end: 2 }], 48_000)).toBe(
      "asetnsamples=n=480:p=0,volume=0:enable='between(t,0.900,2.100)'",
    );
  });

  it('join what overlaps or nearly touches, in whatever order', () => {
    const ranges = [
      { start: 5, end: 6 },
      { start: 1, end: 4 },
      { start: 2, end: 3 },
      { start: 4.1, end: 4.5 },
    ];
    expect(condition(ranges)).toBe('if(lt(t,4.900),between(t,0.900,4.600),between(t,4.900,6.100))');
  });

  it('fit into one argument of a program, and are shallow, for however many passages', () => {
    const ranges = Array.from({ length: 50_000 }, (_, index) => ({ start: index, end: index + 0.4 }));
    const text = condition(ranges);
    expect(text.length).toBeLessThan(128 * 1024);
    let [depth, deepest] = [0, 0];
    for (const letter of text) {
      depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
      deepest = Math.max(deepest, depth);
    }
    expect([depth, deepest < 20]).toEqual([0, true]);
  });
});
