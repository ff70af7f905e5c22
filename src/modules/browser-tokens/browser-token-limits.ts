import { HOUR_S, MINUTE_S } from '../../lib/durations.js';

/** The limits of browser tokens, whose largest fits into the 8 KB that proxies take of a header. */
export const BROWSER_TOKEN_LIMITS = {
  /** Seconds after which one expires. */
  expiresIn: { min: MINUTE_S, max: HOUR_S, default: 15 * MINUTE_S },
  recordings: { min: 1, max: 50 },
  origins: { min: 1, max: 10 },
  /** Characters of an origin: scheme, host name (RFC 1035) and port. */
  origin: 270,
  recipient: { min: 1, max: 200 },
} as const;
