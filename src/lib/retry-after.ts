/** Milliseconds until the time of a `Retry-After` header, in seconds or as a date; null without one that can be read. */
export function readRetryAfter(header: string | null | undefined, now = Date.now()): number | null {
  if (!header || header.length > 100) return null;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}
