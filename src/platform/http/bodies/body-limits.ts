/** Limits on request bodies that the platform itself reads. */
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
