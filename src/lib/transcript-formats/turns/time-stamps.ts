import { secondsOf } from '../captions/captions-times.js';

const DATE = String.raw`\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}[,T ]{1,2}`;
/** `0:03`, `1:02:03.5`, `00:00:04:12` with frames, `10:00:01 AM`, `2026-11-03 10:00:01`. */
const CLOCK = String.raw`(?:${DATE})?\d{1,3}:\d{1,2}(?::\d{1,2})?(?:[.,]\d{1,9}|[:;]\d{2})?(?: ?[AaPp]\.?[Mm]\.?(?!\p{L}))?`;
const UNIT = String.raw`(?:h(?:(?:ou)?rs?|eures?|oras?)?|Stunden?|m(?:in(?:s|ut\p{L}{0,3})?)?|s(?:ec(?:s|ond\p{L}{0,3})?|egund\p{L}{1,3}|ek(?:und\p{L}{0,3})?)?)(?!\p{L})`;
/** `1 hour 2 minutes 8 seconds`, `2m 3s`. */
const IN_UNITS = String.raw`\d{1,3} ?${UNIT}(?:,? ?\d{1,2} ?${UNIT}){0,2}`;
/** Seconds: `1.0`, `1.00s`. */
const DECIMAL = String.raw`\d{1,9}\.\d{1,3}s?`;

/** A time as people and programs write it, as the source of a pattern with the flag `u`. */
export const TIME = `(?:${CLOCK}|${IN_UNITS}|${DECIMAL})`;

const IS_DECIMAL = new RegExp(`^${DECIMAL}$`);
const OF_DAY = / ?([ap])\.?m\.?$/i;
const DATED = new RegExp(`^${DATE}`);
const FRAMES = /^(\d+:\d+:\d+)[:;]\d+$/;
const SECONDS_IN = { h: 3600, m: 60, s: 1 } as const;

export const isDecimal = (time: string): boolean => IS_DECIMAL.test(time);

/** Whether a time is one of day, with AM or PM, or behind a date. */
export const isOfDay = (time: string): boolean => OF_DAY.test(time) || DATED.test(time);

/** Seconds without frames, as no file says how many a second has; null if it is no time, such as `0:75`. */
export function secondsOfStamp(time: string, inMilliseconds: boolean): number | null {
  if (isDecimal(time)) return Math.round(Number.parseFloat(time) * 1000) / 1000;
  const half = OF_DAY.exec(time)?.[1]?.toLowerCase();
  if (half === undefined && !time.includes(':')) return secondsInUnits(time);
  const clock = time.replace(DATED, '').replace(OF_DAY, '').replace(FRAMES, '$1');
  const seconds = secondsOf(
    half !== undefined && !/:.*:/.test(clock) ? `${clock}:00` : clock,
    inMilliseconds,
  );
  if (half === undefined || seconds === null) return seconds;
  return (seconds % (12 * 3600)) + (half === 'p' ? 12 * 3600 : 0);
}

function secondsInUnits(time: string): number {
  let seconds = 0;
  for (const [, amount, unit] of time.matchAll(/(\d+) ?(St|[hms])/g))
    seconds += Number(amount) * (unit === 'St' ? SECONDS_IN.h : SECONDS_IN[unit as 'h' | 'm' | 's']);
  return seconds;
}
