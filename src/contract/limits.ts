/** Limits of the contract, shared by request validation, database columns and the API document. */
export const LIMITS = {
  title: { min: 1, max: 500 },
  notes: { max: 100_000 },
  /** Presigned URLs can be long. */
  sourceUrl: { min: 1, max: 8_000 },
  apiKeyName: { min: 1, max: 100 },
  /** Keys of a user that work; as many revoked or expired ones are kept. */
  apiKeys: 100,
  /** Seconds for which an API key or a share link can be created, if not for ever. */
  expiresIn: { min: 60, max: 10 * 365 * 86_400 },
  /** Seconds for which a rotated API key still works. */
  apiKeyOverlap: { min: 0, max: 7 * 86_400, default: 86_400 },
  /** Organizations, folders and ranges of addresses, each, to which an API key is limited. */
  apiKeyReach: { min: 1, max: 100 },
  /** Days for which an organization may let API keys work, if it limits that. */
  apiKeyMaxDays: { min: 1, max: 3650 },
  /** Days for which the requests with an API key are kept. */
  apiKeyUseDays: 90,
  /** API keys of one report of leaked ones. */
  leakedApiKeys: 100,
  /** Items per page of a list. */
  page: { min: 1, max: 100, default: 20 },
  transcriptChunks: { min: 1, max: 100, default: 50 },
  /** Names of users, organizations and folders. */
  name: { min: 1, max: 200 },
  /** RFC 5321. */
  email: { max: 254 },
  /** Bytes of a transcript file; enough for a day of speech with a timestamp for every word. */
  transcriptFile: 20 * 1024 * 1024,
  speaker: { min: 1, max: 200 },
  /** Distinct speakers per transcript. */
  speakers: 1_000,
  segmentText: { min: 1, max: 10_000 },
  renames: 1_000,
  /** Revisions of a transcript, or of a summary, the current one included. */
  revisions: 10,
  summaryContent: { max: 100_000 },
  topicTitle: { max: 500 },
  summaryText: { max: 2_000 },
  topics: 200,
  keyPoints: 200,
  details: 50,
  /** Characters of all topics, key points and details together, plus 20 for each of these. */
  summaryTopics: 400_000,
  decisions: 100,
  /** Of a summary, those included that people changed and that a later summary no longer has. */
  actionItems: 100,
  /** Text of a decision or an action item. */
  finding: { min: 1, max: 1_000 },
  /** Decisions, and action items, in an event of a summary: the first ones. */
  findingsOfEvent: 20,
  /** Owner of an action item, and when it is due. */
  actionItemDetail: { min: 1, max: 200 },
  /** Segments that a decision or an action item rests on. */
  citedSegments: 100,
  question: { min: 1, max: 1_000 },
  sharePassword: { min: 4, max: 200 },
  shareLinkLabel: { min: 1, max: 100 },
  /** Links of a recording, expired ones included. */
  shareLinks: 100,
  /** Organizations of which one user is an OWNER. */
  ownedOrganizations: 100,
  /** The next four per organization; invitations include expired ones. */
  members: 10_000,
  /** These are also counted as members. */
  serviceAccounts: 100,
  folders: 1_000,
  invitations: 100,
  /** Terms of a glossary, characters of each, and what is heard instead of one. */
  glossaryTerms: 500,
  glossaryTerm: { min: 1, max: 100 },
  glossaryHeardAs: 5,
  /** Emails that a user can have sent to the same address per day (UTC). */
  emailsToRecipient: 5,
  /** Members named by a restricted folder, and restricted folders named by an invitation. */
  restrictedTo: 1_000,
  /** Members named by all restricted folders of an organization together. */
  folderMembers: 20_000,
  /** Recordings of one bulk operation. */
  bulk: 1_000,
  /** Entries per page of the audit log. */
  auditPage: { min: 1, max: 100, default: 50 },
  /** Characters of a list of types of changes: room for all of them. */
  auditTypes: 2_000,
  /** Files of the audit log that a user has open, over all processes on one port. */
  auditExports: 2,
  webhookUrl: { min: 1, max: 2_000 },
  webhookDescription: { min: 1, max: 200 },
  /** Headers of its own that a webhook is sent with, characters of a name, and of a value. */
  webhookHeaders: 10,
  webhookHeaderName: 100,
  webhookHeaderValue: 2_000,
  /** Entries of the list of types of a webhook. */
  webhookTypes: { min: 1, max: 100 },
  /** Webhooks of a user, and of an organization. */
  webhooks: 20,
  /** Tests of a webhook that wait to be sent. */
  webhookTests: 5,
  /** Attempts of a delivery that are shown, the newest. */
  webhookAttempts: 50,
  /** Days for which events, and deliveries of webhooks, can be read. */
  eventDays: 30,
  /** Events per page. */
  events: { min: 1, max: 100, default: 50 },
  /** Messages that a client of MCP sends at once. */
  mcpBatch: 50,
  /** Open streams of events of a user, over all processes on one port. */
  eventStreams: 10,
} as const;

/** Consecutive segments per chunk of a transcript. */
export const SEGMENTS_PER_CHUNK = 20;
