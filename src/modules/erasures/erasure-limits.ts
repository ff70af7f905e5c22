/** Numbers that clients of erasures can notice. */
export const ERASURE_LIMITS = {
  /** Names of a person. */
  names: 20,
  /** Recordings whose texts a preview lists. */
  review: 200,
  previewHours: 24,
  /** Recordings that it deletes or changes without a confirmation. */
  unconfirmed: 50,
} as const;
