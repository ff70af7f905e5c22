import { membersOf } from './json-values.js';
import { secondsOfStamp, TIME } from '../turns/time-stamps.js';

interface GivenTime {
  readonly value: number;
  /** In seconds, a moment in seconds since 1970, or in the unit that the name of the member or the whole file tells. */
  readonly as: 'seconds' | 'moment' | 'number';
}

/** What the end of a member's name says of the unit, in seconds. */
const UNITS: readonly (readonly [name: RegExp, seconds: number])[] = [
  [/(?:In)?_?[Tt]icks$/, 1e-7],
  [/(?:(?:In)?N|_n)s$|(?:In)?_?[Nn]ano(?:second)?s$/, 1e-9],
  [/(?:(?:In)?Ms|_ms|(?:In)?_?[Mm]illi(?:second)?s|_?msec)$/, 1e-3],
  [/(?:_s|(?:In)?_?[Ss]ec(?:ond)?s?)$/, 1],
];

/** The name of a member without its unit, in small letters, and the unit; null if it says none. */
export function unitOf(path: string): { readonly name: string; readonly unit: number | null } {
  const last = path.replace(/^.*\.(?=\D)/, '');
  const [pattern, unit] = UNITS.find(([ending]) => ending.test(last)) ?? [/$/, null];
  const name = last.replace(pattern, '').replaceAll(/[_.-]/g, '').toLowerCase();
  // whisper.cpp
  return { name, unit: path.startsWith('offsets.') ? 1e-3 : unit };
}

const NUMBER = /^\d{1,15}(?:\.\d{1,15})?$/;
const STAMP = new RegExp(`^${TIME}$`, 'u');
const ISO = /^PT(?=\d)(?:(\d{1,4})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?$/;
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?$/;
const WITH_UNIT = /^(\d{1,9}(?:\.\d{1,9})?) ?(m?s)$/;

/** Reads a time as services write it: `1.5`, `"1.5s"`, `"PT1.5S"`, RFC 3339, seconds and nanos, or as in texts. */
export function timeOf(value: unknown): GivenTime | null {
  if (typeof value === 'number') return { value, as: 'number' };
  if (typeof value === 'string') return timeIn(value);
  const { seconds, nanos, relative } = membersOf(value) ?? {};
  if (typeof relative === 'number') return { value: relative, as: 'seconds' };
  if (seconds === undefined && nanos === undefined) return null;
  return { value: Math.round((Number(seconds ?? 0) + Number(nanos ?? 0) / 1e9) * 1e6) / 1e6, as: 'seconds' };
}

function timeIn(text: string): GivenTime | null {
  if (NUMBER.test(text)) return { value: Number(text), as: 'number' };
  if (MOMENT.test(text)) return { value: Date.parse(text) / 1000, as: 'moment' };
  const value = secondsIn(text);
  return value === null ? null : { value, as: 'seconds' };
}

function secondsIn(text: string): number | null {
  const [, count, unit] = WITH_UNIT.exec(text) ?? [];
  if (count !== undefined) return Number(count) / (unit === 'ms' ? 1000 : 1);
  const parts = ISO.exec(text)?.slice(1);
  if (!parts) return STAMP.test(text) ? secondsOfStamp(text, false) : null;
  const [hours, minutes, seconds] = parts.map((part) => Number(part ?? 0)) as [number, number, number];
  return Math.round((hours * 3600 + minutes * 60 + seconds) * 1e7) / 1e7;
}

/** Numbers of a list whose unit no name says. */
interface Numbers {
  readonly areWhole: boolean;
  readonly earliest: number;
  readonly latest: number;
  /** Characters that are said, and how long that takes. */
  readonly characters: number;
  readonly lasting: number;
  /** Of the whole file, in whatever it says. */
  readonly duration: number | null;
}

/** Numbers from here on are times since 1970, in seconds or milliseconds. */
export const MOMENTS = 1e9;
/** Nobody says more characters in a second. */
const FASTEST = 100;
/** Nobody speaks more slowly than the first, and hardly anybody than the second: characters a second. */
const [SLOWEST, SLOW] = [0.02, 1];

/** The unit of numbers without one, in seconds; null if they may be seconds as well as milliseconds. */
export function unitOfNumbers(numbers: Numbers): number | null {
  const { areWhole, earliest, latest, characters, lasting, duration } = numbers;
  if (earliest >= MOMENTS) return earliest >= 100 * MOMENTS ? 1e-3 : 1;
  const speed = lasting > 0 ? characters / lasting : null;
  if (latest === 0 || (speed !== null && speed * 1000 > FASTEST)) return 1;
  if (!areWhole) return speed !== null && speed < SLOWEST ? null : 1;
  if (speed !== null && speed < SLOWEST) return characters > 0 && speed * 1000 < SLOW ? null : 1e-3;
  if (duration === null || latest > duration * 1100) return null;
  return latest > duration * 1.1 ? 1e-3 : null;
}
