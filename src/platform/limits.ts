/** Limits of the contract: shared by request checks, columns and the API document. */
export const LIMITS = {
  title: { min: 1, max: 500 },
  notes: { max: 100_000 },
  apiKeyName: { min: 1, max: 100 },
  recordingsPage: { min: 1, max: 100, default: 20 },
  transcriptChunks: { min: 1, max: 100, default: 50 },
  /** Names of users, organizations, folders; e-mail addresses by RFC 5321. */
  name: { min: 1, max: 200 },
  email: { max: 254 },
  /** Bytes of a JSON body: 100,000 characters of notes, each escaped as two `\uXXXX`, and room for the rest. */
  jsonBody: 2 * 1024 * 1024,
} as const;

/** Consecutive segments in one chunk of a transcript. */
export const SEGMENTS_PER_CHUNK = 20;
