import { describe, expect, it } from '@jest/globals';
import { endOf, parseTimestamp } from '../../src/platform/clock/timestamps.js';

describe('timestamps in requests', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00.123456Z', '2026-01-31T09:30:00.123Z'],
    ['2026-01-31T09:30', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z'],
    ['2026-01-31T09:30:00-0530', '2026-01-31T15:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseTimestamp(text)?.date.toISOString()).toBe(expected);
  });

  it.each([
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-32',
    '0000-01-01',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:60:00Z',
    '2026-01-31T09:30:00+24:00',
    '2026-1-31',
    '31.01.2026',
    '1767225600',
    '2026-01-31T',
    'yesterday',
    ' 2026-01-31',
    '+012026-01-31',
  ])('%s is invalid', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  it('a plain date ends at its last millisecond, a date-time at itself', () => {
    expect(endOf(parseTimestamp('2026-01-31')!).toISOString()).toBe('2026-01-31T23:59:59.999Z');
    expect(endOf(parseTimestamp('2026-01-31T10:00:00Z')!).toISOString()).toBe('2026-01-31T10:00:00.000Z');
  });
});
