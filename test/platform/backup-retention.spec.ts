import { describe, expect, it } from '@jest/globals';
import { nameOf, timeOf } from '../../src/platform/backup/backup-target.js';
import { keptOf, readRetention } from '../../src/platform/backup/retention.js';

describe('how long backups are kept', () => {
  const at = (time: string): string => nameOf(new Date(time));

  it('names a backup by its time', () => {
    const name = at('2026-11-30T15:45:00.123Z');
    expect(name).toBe('2026-11-30t154500123z');
    expect(timeOf(name)).toEqual(new Date('2026-11-30T15:45:00.123Z'));
  });

  it.each([
    ['1d', ['2026-11-30T20:00Z']],
    ['2d', ['2026-11-30T20:00Z', '2026-11-28T03:00Z']],
    // 30 November is a Monday.
    ['2w', ['2026-11-30T20:00Z', '2026-11-28T03:00Z']],
    ['3m', ['2026-11-30T20:00Z', '2026-10-31T03:00Z', '2025-12-01T03:00Z']],
    ['1d,2m', ['2026-11-30T20:00Z', '2026-10-31T03:00Z']],
  ])('%s', (value, expected) => {
    const names = [
      '2025-12-01T03:00Z',
      '2026-10-30T03:00Z',
      '2026-10-31T03:00Z',
      '2026-11-28T03:00Z',
      '2026-11-30T03:00Z',
      '2026-11-30T20:00Z',
    ].map(at);
    expect([...keptOf(names, readRetention(value)!)].toSorted()).toEqual(expected.map(at).toSorted());
  });

  it.each(['', '7', '0d', '7d,', '7d,3d', '7y', '-1d', '7d 4w', '99999d'])(
    'takes nothing else: %j',
    (value) => {
      expect(readRetention(value)).toBeNull();
    },
  );
});
