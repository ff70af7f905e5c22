const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];
const TIME_UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
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
export function countText(count: number): string {
  return count.toLocaleString('en-US', { maximumFractionDigits: 3 });
}

/** One decimal place below ten unless it is zero, otherwise none. */
function rounded(value: number): string {
  return countText(value < 10 ? Math.round(10 * value) / 10 : Math.round(value));
}
