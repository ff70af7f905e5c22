/** Limits of HTTP that a client can notice, whatever the operation. Those of the operations are `LIMITS` of the contract. */

/** Request bodies that the platform itself reads. */
export const BODY_LIMITS = {
  /** Bytes of a JSON body: room for 100,000 characters, each escaped as two `\uXXXX`, and for everything else. */
  json: 2 * 1024 * 1024,
  /** Bytes of a body that needs no API key: a password and the fields a browser sends with it. */
  public: 16 * 1024,
  /** Bytes of a body where none is accepted, read only to tolerate the `{}` that some clients send. */
  empty: 16,
  /** Nesting depth of a JSON body; the deepest accepted by any operation is 7. */
  jsonDepth: 32,
  /** Arrays, objects and their members in a JSON body: parsing and validating this many takes about 20 ms. */
  jsonValues: 10_000,
  /** Milliseconds until a body has to be complete. */
  readMs: 60_000,
  /** Milliseconds for which the rest of a body may arrive after the reply: the default of nginx (`lingering_time`). */
  lingerMs: 30_000,
} as const;

/** Of the search over the guides: characters of what is sought, sections that are shown, and characters of each. */
export const GUIDE_SEARCH = { characters: 100, results: 30, excerpt: 240 } as const;

/** Headers of a request. Proxies add some to the 10 to 30 of a browser. */
export const MAX_HEADERS = 200;

/** Characters of an `X-Request-Id` that a client sends. */
export const REQUEST_ID = { min: 1, max: 128 } as const;

/** Requests with an `Idempotency-Key`. */
export const IDEMPOTENCY_LIMITS = {
  /** Characters of a key, without quotes. */
  keyLength: 255,
  /** For which a reply is kept. */
  keptHours: 24,
  /** Keys of one user, and bytes of their replies; beyond that, the oldest are dropped early. */
  keysPerUser: 10_000,
  bytesPerUser: 64 * 1024 * 1024,
  /** Bytes of a reply. Larger than all but replies with texts of the maximum length. */
  replyBytes: 1024 * 1024,
} as const;
