import { describe, expect, it } from '@jest/globals';
import { EventCursors } from '../../../src/modules/events/event-cursors.js';
import { Sealer } from '../../../src/platform/sealing/sealer.js';

const NOW = new Date('2026-01-31T09:00:00Z');
const POSITION = { position: 42n, at: NOW };
const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const withKeys = (...keys: [string, ...string[]]): EventCursors => new EventCursors(new Sealer(keys));

describe('a cursor of events', () => {
  it('leads its user back to the same position, and nobody else anywhere', () => {
    const cursors = withKeys(OLD);
    const cursor = cursors.write('ada', POSITION);
    expect(cursors.read('ada', cursor, NOW)).toEqual(POSITION);
    expect(() => cursors.read('grace', cursor, NOW)).toThrow('cursor: must be an unmodified next_cursor');
  });

  it('has the same length for every position', () => {
    const lengths = [0n, 1n, 2n ** 40n, 2n ** 63n - 1n].map(
      (position) => withKeys(OLD).write('ada', { position, at: NOW }).length,
    );
    expect(lengths).toEqual([59, 59, 59, 59]);
  });

  it('works while the key that it was written with is accepted, which is then no longer used for others', () => {
    const before = withKeys(OLD).write('ada', POSITION);
    const rotated = withKeys(NEW, OLD);
    expect(rotated.read('ada', before, NOW)).toEqual(POSITION);
    expect(withKeys(NEW).read('ada', rotated.write('ada', POSITION), NOW)).toEqual(POSITION);
    expect(() => withKeys(NEW).read('ada', before, NOW)).toThrow('cursor: must be an unmodified next_cursor');
  });

  it('is refused if any character is changed', () => {
    const cursors = withKeys(OLD);
    const cursor = cursors.write('ada', POSITION);
    for (let at = 0; at < cursor.length; at += 1) {
      const altered = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      expect(() => cursors.read('ada', altered, NOW)).toThrow('cursor: must be an unmodified next_cursor');
    }
  });
});
