const DAY_MS = 86_400_000;

/** Returns the beginning of the oldest month (UTC) that is kept: it has a moment that is less than `days` ago. */
export function firstKept(days: number, now: Date): Date {
  const limit = new Date(now.getTime() - days * DAY_MS);
  return new Date(Date.UTC(limit.getUTCFullYear(), limit.getUTCMonth()));
}

/** Whether every row of the month of a time is at least `days` old. */
export const isDroppable = (time: Date, days: number, now: Date): boolean => time < firstKept(days, now);
