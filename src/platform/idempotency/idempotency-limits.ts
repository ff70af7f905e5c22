export const IDEMPOTENCY_LIMITS = {
  /** Characters of a key, without quotes. */
  keyLength: 255,
  /** Milliseconds for which a reply is kept. */
  keptForMs: 24 * 60 * 60 * 1000,
  /** Keys of one user, and bytes of their replies; beyond that, the oldest are dropped early. */
  keysPerUser: 10_000,
  bytesPerUser: 64 * 1024 * 1024,
  /** Bytes of a reply. Larger than all but replies with texts of the maximum length. */
  replyBytes: 1024 * 1024,
} as const;
