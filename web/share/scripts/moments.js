// Formats and parses moments of the recording.

/** `2:03`, `1:02:03`. @param {number} seconds */
export function formatClock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const short = `${minutes}:${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${short.padStart(5, '0')}` : short;
}

/** `10:45`, `1:02:03` and, as in links of video sites, `645`, `90s`, `1m30s`, `1h2m3s`. */
const CLOCK = /^\d{1,9}(?::\d{1,2}){1,2}(?:\.\d{1,9})?$/;
const UNITS = /^(?=\d)(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9}(?:\.\d{1,9})?)s?)?$/i;

/** @param {string} time */
function secondsOf(time) {
  if (CLOCK.test(time)) return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  const [all, hours = 0, minutes = 0, seconds = 0] = UNITS.exec(time) ?? [];
  return all === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/**
 * Seconds of `#t=645` or one of the above; of a media fragment with an end, `#t=10,20`, the beginning. Null for any other fragment.
 * @param {string | null} [hash]
 */
export function parseMoment(hash) {
  const [, time] = /^#t=(?:npt:)?([^,]+)(?:,[\d:.]*)?$/.exec(hash ?? '') ?? [];
  return time === undefined ? null : secondsOf(time);
}

/** Where a page's URL leads: by its fragment, which changes with every jump, or else by `?t=`. @param {{ hash: string, search: string }} url */
export function momentOf({ hash, search }) {
  return parseMoment(hash) ?? parseMoment(`#t=${new URLSearchParams(search).get('t')}`);
}

/**
 * The index of the last of these ascending start times that has been reached; -1 before the first. After a seek, a player stops a
 * little short of the target, hence the tolerance.
 * @param {readonly number[]} starts @param {number} seconds
 */
export function lastStarted(starts, seconds) {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= seconds + 0.05) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
