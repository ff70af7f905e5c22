export const RETENTION_LIMITS = {
  rules: 50,
  /** Titles, owners and folders each that a rule excepts. */
  exceptions: 100,
  /** A hundred years. */
  days: { min: 0, max: 36_500 },
  noticeDays: { min: 0, max: 90, default: 7 },
  previewDays: { min: 1, max: 3_650, default: 30 },
  /** Recordings that a preview lists. */
  preview: 100,
} as const;
