// Formats and parses moments of the recording.

/** `2:03`, `1:02:03`. @param {number} seconds */
export function formatClock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const short = `${minutes}:${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${short.padStart(5, '0')}` : short;
}

/** Seconds of `#t=645`, `#t=645.5`, `#t=10:45`, `#t=1:02:03`; null for any other fragment. @param {string | null} [hash] */
export function parseMoment(hash) {
  const [, time] = /^#t=(\d+(?::\d{1,2}){0,2}(?:\.\d+)?)s?$/.exec(hash ?? '') ?? [];
  return time === undefined ? null : time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
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
