/** Seconds as a position in a recording: `2:03`, or `1:02:03` after the first hour. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours === 0) return `${minutes}:${twoDigits(rest)}`;
  return `${hours}:${twoDigits(minutes)}:${twoDigits(rest)}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
