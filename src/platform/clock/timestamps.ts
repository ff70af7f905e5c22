import { DAY_MS, MINUTE_MS } from '../../lib/durations.js';

/** ISO 8601 as defined by the contract: a date, or a date and time with optional fraction and offset (default: UTC). */
const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** Range of accepted timestamps, in milliseconds. */
export const OLDEST = Date.UTC(1970, 0, 1);
export const NEWEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export interface ParsedTimestamp {
  readonly date: Date;
  /** Given without a time: means the whole day (UTC). */
  readonly isWholeDay: boolean;
}

/** Parses an ISO 8601 date or date-time between 1970 and 9999; `null` if it is malformed or not a calendar day. */
export function parseTimestamp(text: string): ParsedTimestamp | null {
  const match = ISO_8601.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = [year, month, day, hour, minute, second].map(Number);
  const isRealDay = mo >= 1 && mo <= 12 && d >= 1 && d <= new Date(Date.UTC(y, mo, 0)).getUTCDate();
  const offset = offsetMinutes(zone);
  if (!isRealDay || h > 23 || mi > 59 || s > 59 || offset === null) return null;
  const time =
    Date.UTC(y, mo - 1, d, h, mi, s, Number(fraction.slice(0, 3).padEnd(3, '0'))) - offset * MINUTE_MS;
  if (time < OLDEST || time > NEWEST) return null;
  return { date: new Date(time), isWholeDay: match[4] === undefined };
}

export const DATE_RULE = 'must be a date, such as 2026-01-31';

/** Whether it is a day of the calendar, `2026-01-31`. */
export const isDate = (text: string): boolean => parseTimestamp(text)?.isWholeDay === true;

/** The last moment included by an upper bound: a plain date includes that whole day. */
export const endOf = ({ date, isWholeDay }: ParsedTimestamp): Date =>
  isWholeDay ? new Date(date.getTime() + DAY_MS - 1) : date;

/** Whether a lower bound is after the upper one, as given: not if either is missing or invalid. */
export function isAfter(from: unknown, to: unknown): boolean {
  if (typeof from !== 'string' || typeof to !== 'string') return false;
  const [start, end] = [parseTimestamp(from), parseTimestamp(to)];
  return start !== null && end !== null && start.date > endOf(end);
}

function offsetMinutes(zone: string): number | null {
  if (zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
