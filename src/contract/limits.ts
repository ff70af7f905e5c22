import { DAY_S, HOUR_S, MINUTE_S } from '../lib/durations.js';
import { MEDIA_LIMITS } from '../lib/media-engine/media-limits.js';
import { FILE_LIMITS } from '../lib/transcript-formats/transcript.js';

/**
 * Every number of the contract that a client can notice, by noun: validation, database columns and the API document
 * take it from here, and texts are composed from it. Those of HTTP alone are in `platform/http-limits.ts`, those that
 * an operator sets in `platform/config`. Lengths are in Unicode code points, sizes in bytes.
 */
export const LIMITS = {
  // Lists
  /** Items per page of a list. */
  page: { min: 1, max: 100, default: 20 },
  /** Part of a name or email address that a list is filtered by. */
  filter: { min: 1, max: 500 },
  cursor: { min: 1, max: 100 },
  /** A cursor that contains a name. */
  nameCursor: { min: 1, max: 2_000 },
  /** Of a list of types of events or changes: room for all of them. */
  typeFilter: { min: 1, max: 2_000 },

  // Recordings
  title: { min: 1, max: 500 },
  notes: { max: 100_000 },
  /** Recordings of one bulk operation. */
  bulk: 1_000,

  // Uploads and media
  /** Presigned URLs can be long. */
  sourceUrl: { min: 1, max: 8_000 },
  /** From the creation of a recording until its `source_url` is given up. */
  fetchHours: 24,
  /** Bytes that are stored and acknowledged together: the most that a crash can lose. */
  uploadPart: 8 * 1024 * 1024,
  /** Bytes that arrive slowly are stored after this long at the latest. */
  uploadPartSeconds: 5,
  /** Bytes of each part that a client stores in S3 itself, except the last, and parts of one request for URLs. */
  directPart: 16 * 1024 * 1024,
  directParts: 100,
  /** For which these URLs work. */
  directUrlSeconds: HOUR_S,
  /** A URL that S3 signs works for anyone until it expires. */
  mediaRedirectSeconds: 60,
  /** Pixels. */
  thumbnailWidth: MEDIA_LIMITS.thumbnailWidth,

  // Transcripts
  transcriptChunks: { min: 1, max: 100, default: 50 },
  /** Enough for a day of speech with a timestamp for every word. */
  transcriptFile: 20 * 1024 * 1024,
  speaker: { min: 1, max: FILE_LIMITS.speaker },
  /** Distinct speakers per transcript. */
  speakers: FILE_LIMITS.speakers,
  segments: FILE_LIMITS.segments,
  segmentText: { min: 1, max: FILE_LIMITS.text },
  renames: 1_000,
  /** Revisions of a transcript, or of a summary, the current one included. */
  revisions: 10,

  // Summaries
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

  // Search and questions
  searchQuery: { min: 1, max: 200 },
  /** Words and phrases of one query. */
  searchTerms: 20,
  question: { min: 1, max: 1_000 },
  /** Recordings that a question about all of them is answered from. */
  questionRecordings: 12,
  /** Passages of an answer that no chat server writes. */
  answerPassages: 3,

  // Share links
  sharePassword: { min: 4, max: 200 },
  shareLinkLabel: { min: 1, max: 100 },
  /** Links of a recording, expired ones included. */
  shareLinks: 100,
  /** Wrong passwords that a link accepts within a time, from all clients together. */
  sharePasswordTries: { count: 10, minutes: 10 },
  /** How long a page that was opened with a password stays open: the token, and the cookie with it. */
  shareAccessHours: 24,
  /** How long a program that previews a link is to keep the reply, as links end. */
  sharePreviewSeconds: 5 * MINUTE_S,

  // API keys
  apiKeyName: { min: 1, max: 100 },
  /** Characters of a key that are shown. */
  apiKeyPrefix: 12,
  /** Keys of a user that work; as many revoked or expired ones are kept. */
  apiKeys: 100,
  /** Seconds after which an API key or a share link can be made to expire. */
  expiresIn: { min: MINUTE_S, max: 3650 * DAY_S },
  /** Seconds for which a rotated API key still works. */
  apiKeyOverlap: { min: 0, max: 7 * DAY_S, default: DAY_S },
  /** Organizations, folders and ranges of addresses, each, to which an API key is limited. */
  apiKeyReach: { min: 1, max: 100 },
  /** Days for which an organization may let API keys work, if it limits that. */
  apiKeyMaxDays: { min: 1, max: 3650 },
  /** Days for which deleted recordings can be restored; 0: not at all. */
  binDays: { min: 0, max: 365 },
  /** Days for which the requests with an API key are kept. */
  apiKeyUseDays: 90,
  /** API keys of one report of leaked ones. */
  leakedApiKeys: 100,

  // Signing in
  /** After which a session ends: without use, and however much it is used. */
  session: { idleHours: 12, days: 30 },
  /** Sessions of a user; another one ends the oldest. */
  sessions: 100,
  /** Connections of a user; another one ends the oldest. */
  connections: 100,
  /** Clients that an organization lets in, if it lists them, and characters of a `client_id`. */
  oauthClients: 50,
  clientId: { min: 1, max: 500 },
  /** For which a link by mail, or one that the host prints, can be opened, once. */
  signInLinkMinutes: 15,
  /** Links to sign in with that are requested for an email address, known or not, within a time. */
  signInMails: { count: 5, minutes: 60 },
  /** For which somebody may take at an identity provider or with a passkey. */
  signInMinutes: 10,
  /** Name of an identity provider. */
  providerName: { min: 1, max: 40 },
  /** Identifier of somebody, or of a session, at an identity provider. OpenID Connect Core, 2. */
  subject: 255,
  /** Passkeys of a user. */
  passkeys: 20,
  passkeyName: { min: 1, max: 100 },

  // Users and organizations
  /** Names of users, organizations and folders. */
  name: { min: 1, max: 200 },
  email: { max: 254 },
  /** Organizations of which one user is an OWNER. */
  ownedOrganizations: 100,
  /** A logo as it is sent, in bytes and pixels, and the pixels that it is fitted into. */
  logo: { file: 1024 * 1024, maxSide: 4_096, width: 480, height: 96 },
  /** The next four per organization; invitations include expired ones. */
  members: 10_000,
  /** These are also counted as members. */
  serviceAccounts: 100,
  folders: 1_000,
  invitations: 100,
  /** For which an invitation can be accepted. */
  invitationDays: 7,
  invitationToken: { min: 1, max: 200 },
  /** Between two emails of one invitation. */
  invitationResendSeconds: 60,
  /** For which the offer of an ownership can be accepted. */
  transferDays: 7,
  /** Emails that a user can have sent to the same address per day (UTC). */
  emailsToRecipient: 5,
  /** Members named by a restricted folder, and restricted folders named by an invitation. */
  restrictedTo: 1_000,
  /** Members named by all restricted folders of an organization together. */
  folderMembers: 20_000,
  /** Terms of a glossary, characters of each, and what is heard instead of one. */
  glossaryTerms: 500,
  glossaryTerm: { min: 1, max: 100 },
  glossaryHeardAs: 5,

  // Audit log
  /** Entries per page. */
  auditPage: { min: 1, max: 100, default: 50 },
  /** Files of the audit log that a user has open, over all processes on one port. */
  auditExports: 2,
  /** For which the first time that somebody watches or reads something stands for the following ones. */
  auditReadHours: 1,
  /** URL and token of a receiver of the log. */
  auditStreamUrl: { min: 1, max: 2_000 },
  auditStreamToken: { min: 1, max: 2_000 },
  /** Entries of a batch that a receiver is sent. */
  auditStreamBatch: 500,
  /** Deliveries that one request replays. */
  webhookReplays: 1_000,
  /** Within which a receiver has to reply. */
  auditStreamReplySeconds: 30,
  /** Until a receiver that has failed is tried again: at first, and at most; it doubles in between. */
  auditStreamRetry: { min: 5, max: 5 * MINUTE_S },
  /** After which a key that is used from a known address is a sign-in again. */
  signInHours: 24,

  // Events
  /** Days for which events, and deliveries of webhooks, can be read. */
  eventDays: 30,
  /** Events per page. */
  events: { min: 1, max: 100, default: 50 },
  /** Open streams of events of a user, over all processes on one port. */
  eventStreams: 10,
  /** Between two comments of a stream. */
  heartbeatSeconds: 15,
  /** After which a client that does not read its stream is disconnected. */
  slowStreamSeconds: 30,
  /** After which a client whose stream broke off is to reconnect. */
  reconnectSeconds: 3,

  // Webhooks
  webhookUrl: { min: 1, max: 2_000 },
  webhookDescription: { min: 1, max: 200 },
  /** Headers of its own that a webhook is sent with, characters of a name, and of a value. */
  webhookHeaders: 10,
  webhookHeaderName: 100,
  webhookHeaderValue: 2_000,
  /** Name of a type of events. */
  webhookType: { min: 1, max: 100 },
  /** Entries of the list of types of a webhook. */
  webhookTypes: { min: 1, max: 100 },
  /** Webhooks of a user, and of an organization. */
  webhooks: 20,
  /** For which the previous secret also signs, and how many previous ones do. */
  webhookSecretHours: 24,
  webhookPreviousSecrets: 4,
  /** Tests of a webhook that wait to be sent. */
  webhookTests: 5,
  /** Within which a receiver has to reply. */
  webhookReplySeconds: 15,
  /** Bytes of a reply that are shown, from its beginning. */
  webhookReply: 1024,
  /** Requests at once to a webhook that answers; to others, it is one. */
  webhookRequests: 4,
  /** Seconds from each failed attempt of a delivery to the next one. */
  webhookRetries: [5, 5 * MINUTE_S, 30 * MINUTE_S, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_S)],
  /** The longest `Retry-After` of a receiver that is respected. */
  webhookPauseHours: 24,
  /** After which a webhook that has only failed is disabled. */
  webhookFailureDays: 5,
  /** Attempts of a delivery that are shown, the newest. */
  webhookAttempts: 50,
} as const;

/** Consecutive segments per chunk of a transcript. */
export const SEGMENTS_PER_CHUNK = 20;
