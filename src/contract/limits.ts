/** Limits of the contract: shared by request checks, columns and the API document. */
export const LIMITS = {
  title: { min: 1, max: 500 },
  notes: { max: 100_000 },
  apiKeyName: { min: 1, max: 100 },
  /** Items on a page of a list. */
  page: { min: 1, max: 100, default: 20 },
  transcriptChunks: { min: 1, max: 100, default: 50 },
  /** Names of users, organizations, folders; e-mail addresses by RFC 5321. */
  name: { min: 1, max: 200 },
  email: { max: 254 },
  /** Bytes of a transcript file; a day of speech with the times of every word stays below. */
  transcriptFile: 20 * 1024 * 1024,
  speaker: { min: 1, max: 200 },
  /** Different speakers of one transcript. */
  speakers: 1_000,
  segmentText: { min: 1, max: 10_000 },
  renames: 1_000,
  summaryContent: { max: 100_000 },
  topicTitle: { max: 500 },
  summaryText: { max: 2_000 },
  topics: 200,
  keyPoints: 200,
  details: 50,
  /** Characters of all topics with their key points and details; each of these counts as 20 more. */
  summaryTopics: 400_000,
  question: { min: 1, max: 1_000 },
  sharePassword: { min: 4, max: 200 },
  shareLinkLabel: { min: 1, max: 100 },
  /** Of one recording, expired ones included. */
  shareLinks: 100,
} as const;

/** Consecutive segments in one chunk of a transcript. */
export const SEGMENTS_PER_CHUNK = 20;
