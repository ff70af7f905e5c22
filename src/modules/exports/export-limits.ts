/** Numbers that clients of exports can notice. */
export const EXPORT_LIMITS = {
  /** Exports that a user has, until they are deleted or expire. */
  perUser: 5,
  /** For which an export can be downloaded. */
  days: 7,
  recordings: 5_000,
  /** GB of their original files. */
  gigabytes: 40,
} as const;
