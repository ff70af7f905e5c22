import { describe, expect, it } from '@jest/globals';
import { withDates, DATE_RANGE } from '../../../src/modules/mcp/server/date-range.js';
import { z } from '../../../src/lib/zod.js';

const ARGUMENTS = z.strictObject(DATE_RANGE);

describe('the dates of a tool', () => {
  it.each([
    ['UTC', '2026-03-02', '2026-03-02T00:00:00.000Z', '2026-03-02T23:59:59.999Z'],
    ['Europe/Berlin', '2026-03-02', '2026-03-01T23:00:00.000Z', '2026-03-02T22:59:59.999Z'],
    // Clocks go forward, then back.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
    ['Asia/Kolkata', '2026-12-31', '2026-12-30T18:30:00.000Z', '2026-12-31T18:29:59.999Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z', '2026-01-01T09:59:59.999Z'],
    ['Pacific/Niue', '2026-01-01', '2026-01-01T11:00:00.000Z', '2026-01-02T10:59:59.999Z'],
  ])('begin and end in the time zone: %s, %s', (zone, date, from, to) => {
    const range = { date_from: date, date_to: date, time_zone: zone };
    expect(withDates(ARGUMENTS.parse(range))).toEqual({ date_from: from, date_to: to });
  });

  it('are left as they are with a time', () => {
    const time = '2026-03-02T09:00:00+01:00';
    const range = ARGUMENTS.parse({ date_from: time, time_zone: 'Asia/Kolkata' });
    expect(withDates(range)).toEqual({ date_from: time, date_to: undefined });
  });

  it.each([
    [{ date_from: 'last Tuesday' }, 'must be a date or a time in ISO 8601'],
    [{ date_to: '2026-02-30' }, 'must be a date or a time in ISO 8601'],
    [{ time_zone: 'Berlin' }, 'must be a time zone of the IANA database, such as Europe/Berlin'],
  ])('say what is wrong: %j', (given, message) => {
    expect(ARGUMENTS.safeParse(given).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});
