import { z } from '../../../lib/zod.js';
import { isDate, parseTimestamp } from '../../../platform/clock/timestamps.js';
import { DAY_MS, MINUTE_MS } from '../../../lib/durations.js';

const moment = (what: string) =>
  z
    .string()
    .refine((text) => parseTimestamp(text) !== null, { error: 'must be a date or a time in ISO 8601' })
    .describe(what);

/** The dates of recordings, as the arguments of a tool. */
export const DATE_RANGE = {
  date_from: moment(
    'First date, such as 2026-03-02, or a time with its offset, such as 2026-03-02T09:00:00+01:00',
  ).optional(),
  date_to: moment('Last date, which is included as a whole, or a time with its offset').optional(),
  time_zone: z
    .string()
    .refine(isTimeZone, { error: 'must be a time zone of the IANA database, such as Europe/Berlin' })
    .default('UTC')
    .describe("The user's time zone, such as Europe/Berlin, in which dates without a time begin and end"),
};

type DateRange = z.output<z.ZodObject<typeof DATE_RANGE>>;

/** Arguments with the range as the API takes it, which knows dates in UTC only. */
export function withDates<Given extends DateRange>({
  date_from: from,
  date_to: to,
  time_zone: zone,
  ...others
}: Given) {
  return {
    ...others,
    date_from: from && (isDate(from) ? startOfDay(from, zone).toISOString() : from),
    date_to: to && (isDate(to) ? endOfDay(to, zone).toISOString() : to),
  };
}

const endOfDay = (date: string, zone: string): Date => {
  const next = new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);
  return new Date(startOfDay(next, zone).getTime() - 1);
};

/** Midnight in a time zone. Its offset is that of the instant, which the offset of midnight in UTC is close enough to find. */
function startOfDay(date: string, zone: string): Date {
  const midnight = Date.parse(date);
  const guess = midnight - offsetAt(midnight, zone);
  return new Date(midnight - offsetAt(guess, zone));
}

/** Milliseconds that the clocks of a time zone are ahead of UTC. */
function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    instant,
  );
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
