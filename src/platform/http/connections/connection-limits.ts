/** How long a client may keep a connection waiting. In milliseconds, unless noted. */
export interface ConnectionLimits {
  /** How often the connections are checked; a limit is enforced this much later at the latest. */
  readonly check: number;
  /** For the headers of a request, from the first byte, or from the start of the connection. */
  readonly headers: number;
  /** Between requests. */
  readonly idle: number;
  /** How far a request body may fall behind `bodyRate`: also the longest pause, and the time over which the rate is averaged. */
  readonly body: number;
  /** Bytes per second. */
  readonly bodyRate: number;
  /** For a client to take at least some bytes of a response that is waiting for it. */
  readonly unread: number;
  /** For a client to close the connection after the service did. */
  readonly closing: number;
  /** From when on a request that is behind is given up for a new connection, if all connections are taken. */
  readonly behind: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  check: 1_000,
  headers: 20_000,
  // Longer than the idle timeout of common load balancers, so that they close idle connections first.
  idle: 65_000,
  // A live recording of speech at 6 kbit/s is 7 times as fast.
  body: 60_000,
  bodyRate: 100,
  // Players that are paused stop reading; they reconnect with a range request.
  unread: 300_000,
  closing: 5_000,
  behind: 10_000,
};
