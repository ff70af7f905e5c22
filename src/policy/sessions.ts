import { DAY_MS, HOUR_MS } from '../lib/durations.js';
import { LIMITS } from '../contract/limits.js';

/**
 * How people sign in: with an identity provider, a link by mail, a passkey, a link that the host printed, or by showing
 * an API key.
 */
export const WAYS_IN = ['provider', 'mail', 'passkey', 'link', 'api_key'] as const;
export type WayIn = (typeof WAYS_IN)[number];

/** When a session that began then ends, however much it is used. */
export const latestEnd = (beganAt: Date): Date => new Date(beganAt.getTime() + LIMITS.session.days * DAY_MS);

/** When it ends unless it is used until then. */
export function sessionEnd(beganAt: Date, usedAt: Date): Date {
  const idle = usedAt.getTime() + LIMITS.session.idleHours * HOUR_MS;
  return new Date(Math.min(idle, latestEnd(beganAt).getTime()));
}
