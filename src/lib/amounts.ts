import { DAY_S, HOUR_S, MINUTE_S } from './durations.js';

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];
const BINARY_UNITS = ['KiB', 'MiB', 'GiB'];
const TIME_UNITS = [
  ['day', DAY_S],
  ['hour', HOUR_S],
  ['minute', MINUTE_S],
] as const;

/** `55 KB`, `1.2 GB`: decimal units, as file managers show them. */
export function bytesText(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${rounded(bytes / 1000 ** power)} ${BYTE_UNITS[power]}`;
}

/** `27 days`, `4.3 hours`, `30 minutes`, `12 seconds`: the largest unit of which there are two (of days three). */
export function durationText(seconds: number): string {
  if (seconds === Infinity) return 'forever';
  const found = TIME_UNITS.find(([name, length]) => seconds >= (name === 'day' ? 3 : 2) * length);
  const [name, length] = found ?? ['second', 1];
  return `${rounded(seconds / length)} ${name}s`;
}

/** `4,294,967,295` */
export const countText = (count: number): string =>
  count.toLocaleString('en-US', { maximumFractionDigits: 3 });

/** `1 to 10,000`, or `at most 500` where nothing is too short. */
export function rangeText({ min = 0, max }: { readonly min?: number; readonly max: number }): string {
  return min > 0 ? `${countText(min)} to ${countText(max)}` : `at most ${countText(max)}`;
}

/** `20 MiB`, `16 KiB`: limits, which are whole numbers of a binary unit. */
export function sizeText(bytes: number): string {
  const power = BINARY_UNITS.findLastIndex((_, index) => bytes % 1024 ** (index + 1) === 0);
  return power < 0
    ? `${countText(bytes)} bytes`
    : `${countText(bytes / 1024 ** (power + 1))} ${BINARY_UNITS[power]}`;
}

/** One decimal place below ten unless it is zero, otherwise none. */
const rounded = (value: number): string =>
  countText(value < 10 ? Math.round(10 * value) / 10 : Math.round(value));
