/** What is deleted. A member is removed from an organization, and remains a user. */
export type Subject = 'user' | 'member' | 'recording' | 'organization' | 'webhook';

/** How a column loses what it holds of a subject, counted from the transaction that deletes the subject. */
type ErasedBy =
  /** Goes with its row, in the transaction. */
  | 'row'
  /** Cleared by a statement of `ERASURES` (`erasure.queries.ts`), in the transaction. */
  | 'transaction'
  /** Out of reach from the transaction on; deleted or cleared by a job that it enqueues, which is retried. */
  | 'job'
  /** Not erased, for this reason. */
  | `kept: ${string}`;

type BySubject = Partial<Record<Exclude<Subject, 'webhook'>, ErasedBy>>;

const OF_RECORDING: BySubject = { user: 'job', recording: 'row', organization: 'job' };
const OF_ORGANIZATION: BySubject = { organization: 'job' };
/** Personal recordings have none. */
const OF_VOICE: BySubject = { recording: 'row', organization: 'job' };
const OF_USER: BySubject = { user: 'row', member: 'kept: they remain a user' };
const OF_INVITATION: BySubject = { user: 'transaction', member: 'transaction', organization: 'job' };
const OF_WEBHOOK: BySubject = { user: 'row', organization: 'job' };
const OF_ATTEMPT: BySubject = {
  user: 'job',
  member: 'transaction',
  recording: 'transaction',
  organization: 'job',
};
const OF_DIRECTORY: BySubject = {
  user: 'row',
  member: 'kept: the directory still lists them, and removes them itself',
  organization: 'job',
};
const OF_ERASURE: BySubject = {
  user: 'kept: until it is run or expires, for the OWNER who asked for it',
  member: 'kept: until it is run or expires, for the OWNER who asked for it',
  organization: 'job',
};
const SEALED = 'kept: unreadable in the database, and no longer replayed';

/**
 * Every column of the database that can hold personal details, in plain text or sealed, and how it loses them. A test
 * keeps the list complete: it uses every feature, deletes each subject, and searches all columns of all schemas and all
 * stored files.
 *
 * `user`: what a user leaves of themselves, including their personal recordings. `member`: what an organization has of
 * them. `recording` and `organization`: their texts. A recording of an organization stays with it when its owner is
 * deleted, and with it what is said and who says it.
 */
export const PERSONAL_DATA: Readonly<Record<string, BySubject>> = {
  'users.name': OF_USER,
  'users.email': OF_USER,
  'users.external_id': OF_USER,
  'users.metadata': OF_USER,
  'api_keys.name': { ...OF_USER, user: 'transaction' },
  'api_keys.last_used_address': { ...OF_USER, user: 'transaction' },
  'api_keys.client': { ...OF_USER, user: 'transaction' },
  'identities.subject': OF_USER,
  'passkeys.name': OF_USER,
  'personal_details.value': {
    user: 'job',
    member: 'kept: the audit log says from where, until the user is deleted',
    organization: 'job',
  },
  'invitations.email': OF_INVITATION,
  'invitations.mail_error': OF_INVITATION,

  'directory_users.external_id': OF_DIRECTORY,
  'directory_users.user_name': OF_DIRECTORY,
  'directory_users.email': OF_DIRECTORY,
  'directory_users.display_name': OF_DIRECTORY,
  'directory_users.formatted_name': OF_DIRECTORY,
  'directory_users.given_name': OF_DIRECTORY,
  'directory_users.family_name': OF_DIRECTORY,
  'directory_groups.external_id': OF_ORGANIZATION,
  'directory_groups.display_name': OF_ORGANIZATION,

  'organizations.name': OF_ORGANIZATION,
  'organizations.external_id': OF_ORGANIZATION,
  'organizations.metadata': OF_ORGANIZATION,
  'organizations.branding_domain': OF_ORGANIZATION,
  'folders.name': OF_ORGANIZATION,
  'folders.external_id': OF_ORGANIZATION,
  'folders.metadata': OF_ORGANIZATION,
  'glossaries.terms': OF_ORGANIZATION,
  'organization_retention.rules': OF_ORGANIZATION,
  'audit_streams.endpoint_sealed': OF_ORGANIZATION,
  'legal_holds.matter': OF_ORGANIZATION,
  'legal_holds.reason': OF_ORGANIZATION,
  'erasures.email': OF_ERASURE,
  'erasures.names': OF_ERASURE,
  'share_links.label': { user: 'row', member: 'row', recording: 'row', organization: 'row' },

  'recordings.title': OF_RECORDING,
  'recordings.title_folded': OF_RECORDING,
  'recordings.notes': OF_RECORDING,
  'recordings.external_id': OF_RECORDING,
  'recordings.metadata': OF_RECORDING,
  'held_versions.value': OF_RECORDING,
  'transcripts.speakers': OF_RECORDING,
  'transcripts.draft': OF_RECORDING,
  'transcripts.speaker_statistics': OF_RECORDING,
  'transcript_voices.speaker': OF_VOICE,
  'transcript_voices.embedding': OF_VOICE,
  'transcript_voices.suggestion': OF_VOICE,
  'transcript_chunks.segments': OF_RECORDING,
  'transcript_draft_chunks.segments': OF_RECORDING,
  'superseded_transcript_chunks.segments': OF_RECORDING,
  'transcript_revisions.speakers': OF_RECORDING,
  'summaries.content': OF_RECORDING,
  'summaries.topics': OF_RECORDING,
  'summaries.decisions': OF_RECORDING,
  'summaries.html': OF_RECORDING,
  'summary_revisions.content': OF_RECORDING,
  'summary_revisions.topics': OF_RECORDING,
  'summary_revisions.decisions': OF_RECORDING,
  'summary_revisions.action_items': OF_RECORDING,
  'summary_revisions.html': OF_RECORDING,
  'action_items.text': OF_RECORDING,
  'action_items.owner': OF_RECORDING,
  'action_items.due': OF_RECORDING,
  'search_entries.words': OF_RECORDING,
  'search_words.word': { user: 'job', recording: 'job', organization: 'job' },
  'tracks.name': OF_RECORDING,
  'uploads.metadata': OF_RECORDING,
  'uploads.status_reason': OF_RECORDING,
  'upload_sources.url_sealed': OF_RECORDING,

  'webhooks.url_sealed': OF_WEBHOOK,
  'webhooks.description': OF_WEBHOOK,
  'webhook_attempts.body': OF_ATTEMPT,
  'webhook_attempts.response_body': OF_ATTEMPT,
  // Encrypted with the secret of an API key, which is not in the database, for a day; withheld by `ErasureService`.
  'idempotency_keys.reply': { user: SEALED, member: SEALED, recording: SEALED, organization: SEALED },
};
