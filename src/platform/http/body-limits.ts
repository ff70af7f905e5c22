/** Limits of the bodies that the platform reads by itself. */
export const BODY_LIMITS = {
  /** Bytes of a JSON body: 100,000 characters, each escaped as two `\uXXXX`, and room for the rest. */
  json: 2 * 1024 * 1024,
  /** Bytes of a body that needs no API key: a password and what a browser sends with it. */
  public: 16 * 1024,
  /** Bytes of a body where none is taken, read only to recognize the `{}` of some clients. */
  empty: 16,
  /** Lists and objects in each other in a JSON body; the deepest that is accepted has 7. */
  jsonDepth: 32,
  /** Lists, objects and members of both in a JSON body: anything that long is parsed and checked in about 20 ms. */
  jsonValues: 10_000,
} as const;
