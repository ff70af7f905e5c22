import { describe, expect, it } from '@jest/globals';
import { fallen, withFloor, withSecond } from '../../../bench/quick/floor.js';

interface Row {
  readonly case: string;
  readonly ratio: number;
  readonly met: boolean | null;
  readonly target?: string;
}

const FLOOR = { list: 0.8, detail: 0.6 };
const row = (name: string, ratio: number, met: boolean | null = true): Row => ({ case: name, ratio, met });

describe('the floor of npm run bench -- quick', () => {
  it('is missed below 0.85 of the value of the case', () => {
    const rows: Row[] = withFloor([row('list', 0.67), row('detail', 0.51)], FLOOR);
    expect(rows.map(({ target, met }) => [target, met])).toEqual([
      ['>= 0.68', false],
      ['>= 0.51', true],
    ]);
    expect(fallen(rows)).toEqual(['list']);
  });

  it('is missed only when the second measurement is below it too', () => {
    const first: Row[] = withFloor([row('list', 0.5), row('detail', 0.3)], FLOOR);
    const second: Row[] = withFloor([row('list', 0.7), row('detail', 0.4)], FLOOR);
    const rows: Row[] = withSecond(first, second);
    expect(rows.map(({ ratio }) => ratio)).toEqual([0.7, 0.4]);
    expect(fallen(rows)).toEqual(['detail']);
    const one: Row[] = withSecond(first, second.slice(1));
    expect(one.map(({ ratio }) => ratio)).toEqual([0.5, 0.4]);
  });

  it('is neither met nor missed where replies differ', () => {
    const [list] = withFloor([row('list', 0.1, null), row('detail', 0.6)], FLOOR);
    expect(list).toMatchObject({ met: null });
  });

  it('has a value for each case and no other', () => {
    expect(() => withFloor([row('list', 1)], FLOOR)).toThrow('detail');
    expect(() => withFloor([row('list', 1), row('detail', 1), row('share', 1)], FLOOR)).toThrow('share');
  });
});
