export interface OutboundLimits {
  /** DNS, the connection and TLS, each time. */
  readonly connectMs: number;
  /** The time until the headers of the reply are complete. */
  readonly headersMs: number;
  /** The whole request, from the first name that is looked up to the last byte; undefined for no limit. */
  readonly totalMs?: number;
  /** How far a body may fall behind `bytesPerSecond`: also the longest pause. */
  readonly behindMs: number;
  readonly bytesPerSecond: number;
  /** Length of a body. */
  readonly bytes: number;
  readonly redirects: number;
}

export const OUTBOUND_LIMITS: OutboundLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  totalMs: 60_000,
  behindMs: 30_000,
  bytesPerSecond: 10_000,
  bytes: 1024 * 1024,
  redirects: 5,
};
