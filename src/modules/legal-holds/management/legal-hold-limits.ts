export const HOLD_LIMITS = {
  matter: { min: 1, max: 200 },
  /** Why it is placed. */
  reason: { min: 1, max: 2_000 },
  /** Recordings, folders and people, each, that a hold names. */
  ids: { min: 1, max: 1_000 },
  /** Of an organization, and of the operators without one. */
  active: 100,
  /** Holds per page: what each of them holds is counted. */
  page: { min: 1, max: 20, default: 10 },
} as const;
