import { DAY_S, HOUR_S, MINUTE_S } from '../../lib/durations.js';

/** For how many seconds what the authorization server issues works. */
export const LIFETIMES = {
  accessToken: 15 * MINUTE_S,
  /** Each use issues another. */
  refreshToken: 30 * DAY_S,
  /** In which a refresh token that comes again is refused, but was not stolen: two processes of a client use it at once. */
  refreshRace: 10,
  code: MINUTE_S,
  deviceCode: 10 * MINUTE_S,
  /** To sign in and decide. */
  interaction: HOUR_S,
} as const;

/** Days after which a connection ends, of which people choose one; null: once it has not been used for 30. */
export const CONNECTION_DAYS = [7, 30, 90, 365, null] as const;

export const CLIENT_LIMITS = {
  name: { min: 1, max: 100 },
  redirectUris: 10,
  redirectUri: 2_000,
  /** Bytes of what a client says of itself. */
  metadata: 16 * 1024,
  /** Of an organization, and of operators. */
  registered: 100,
  /** Clients that have registered themselves and that nobody has connected: the latest are kept, for a day. */
  unconnected: 10_000,
} as const;
