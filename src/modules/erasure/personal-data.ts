import { vectorOf } from '../../lib/language/text-search.sql.js';

/** What is deleted. A member is removed from an organization, and remains a user. */
export type Subject = 'user' | 'member' | 'recording' | 'organization' | 'webhook';

/** How a column loses what it holds of a subject, counted from the transaction that deletes the subject. */
type ErasedBy =
  /** Goes with its row, in the transaction. */
  | 'row'
  /** Cleared by a statement of `ERASURES`, in the transaction. */
  | 'transaction'
  /** Out of reach from the transaction on. Deleted or cleared by a job that it enqueues, which starts at once and is retried. */
  | 'job'
  /** Not erased, for this reason. */
  | `kept: ${string}`;

type BySubject = Partial<Record<Exclude<Subject, 'webhook'>, ErasedBy>>;

const OF_RECORDING: BySubject = { user: 'job', recording: 'row', organization: 'job' };
const OF_ORGANIZATION: BySubject = { organization: 'job' };
const OF_USER: BySubject = { user: 'row', member: 'kept: they remain a user' };
const OF_INVITATION: BySubject = { user: 'transaction', member: 'transaction', organization: 'job' };
const OF_WEBHOOK: BySubject = { user: 'row', organization: 'job' };
const OF_ATTEMPT: BySubject = {
  user: 'job',
  member: 'transaction',
  recording: 'transaction',
  organization: 'job',
};
const SEALED = 'kept: unreadable in the database, and no longer replayed';

/**
 * Every column of the database that can hold personal details, in plain text or sealed, and how it loses them. A test keeps the list
 * complete: it uses every feature, deletes each subject, and searches all columns of all schemas and all stored files.
 *
 * `user`: what a user leaves of themselves, including their personal recordings. `member`: what an organization has of them.
 * `recording` and `organization`: their texts. A recording of an organization stays with it when its owner is deleted, and with it
 * what is said and who says it.
 */
export const PERSONAL_DATA: Readonly<Record<string, BySubject>> = {
  'users.name': OF_USER,
  'users.email': OF_USER,
  'api_keys.name': { ...OF_USER, user: 'transaction' },
  'personal_details.value': {
    user: 'job',
    member: 'kept: the audit log says from where, until the user is deleted',
    organization: 'job',
  },
  'invitations.email': OF_INVITATION,
  'invitations.mail_error': OF_INVITATION,

  'organizations.name': OF_ORGANIZATION,
  'folders.name': OF_ORGANIZATION,
  'share_links.label': { user: 'row', member: 'row', recording: 'row', organization: 'row' },

  'recordings.title': OF_RECORDING,
  'recordings.title_folded': OF_RECORDING,
  'recordings.notes': OF_RECORDING,
  'transcripts.speakers': OF_RECORDING,
  'transcripts.draft': OF_RECORDING,
  'transcript_chunks.segments': OF_RECORDING,
  'transcript_draft_chunks.segments': OF_RECORDING,
  'superseded_transcript_chunks.segments': OF_RECORDING,
  'transcript_revisions.speakers': OF_RECORDING,
  'summaries.content': OF_RECORDING,
  'summaries.topics': OF_RECORDING,
  'summaries.html': OF_RECORDING,
  'search_entries.words': OF_RECORDING,
  'search_words.word': { user: 'job', recording: 'job', organization: 'job' },
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

/** Rows that a statement of a job erases at a time. */
export const BATCH = 1_000;

interface Erasure {
  readonly of: Subject;
  readonly when: 'transaction' | 'job';
  readonly columns: readonly (keyof typeof PERSONAL_DATA)[];
  /** Its parameters, by their names in the `Deleted` subject. */
  readonly values: readonly string[];
  /** In a job: of at most `BATCH` rows, repeated until there are none. */
  readonly sql: string;
}

const BODIES = ['webhook_attempts.body', 'webhook_attempts.response_body'] as const;
/** A receiver may answer with what it was sent. */
const eraseBodies = (deliveries: string, limit = ''): string => `
  UPDATE webhook_attempts a SET body = NULL, response_body = NULL
  FROM (SELECT a.id FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
        WHERE ${deliveries} AND (a.body IS NOT NULL OR a.response_body IS NOT NULL) ${limit}) AS old
  WHERE a.id = old.id`;

const eraseDetails = (found: string): string => `
  UPDATE personal_details d SET value = NULL, salt = NULL
  FROM (${found}) AS old WHERE d.at = old.at AND d.change_id = old.change_id AND d.kind = old.kind`;

/** Deliveries of webhooks that no longer exist. */
const DELETE_DELIVERIES = `
  WITH RECURSIVE known AS (
    (SELECT webhook_id FROM webhook_deliveries ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.webhook_id FROM webhook_deliveries d WHERE d.webhook_id > known.webhook_id ORDER BY d.webhook_id LIMIT 1)
    FROM known WHERE known.webhook_id IS NOT NULL
  ), gone AS (
    SELECT d.id FROM known CROSS JOIN LATERAL (
      SELECT id FROM webhook_deliveries WHERE webhook_id = known.webhook_id LIMIT ${BATCH}) AS d
    WHERE known.webhook_id IS NOT NULL AND NOT EXISTS (SELECT FROM webhooks w WHERE w.id = known.webhook_id)
    LIMIT ${BATCH}
  )
  DELETE FROM webhook_deliveries USING gone WHERE webhook_deliveries.id = gone.id`;

/** What is deleted neither with its row nor with the recordings. Statements of a transaction run in this order. */
export const ERASURES: readonly Erasure[] = [
  {
    of: 'user',
    when: 'transaction',
    columns: ['api_keys.name'],
    values: ['userId'],
    sql: `UPDATE api_keys SET name = '' WHERE user_id = $1`,
  },
  {
    of: 'user',
    when: 'transaction',
    columns: ['invitations.email', 'invitations.mail_error'],
    values: ['email'],
    sql: 'DELETE FROM invitations WHERE lower(email) = lower($1)',
  },
  {
    // Where their email address was invited.
    of: 'user',
    when: 'transaction',
    columns: ['personal_details.value'],
    values: ['email'],
    sql: eraseDetails(
      `SELECT at, change_id, kind FROM personal_details WHERE kind = 'email' AND lower(value) = lower($1)`,
    ),
  },
  {
    // Of the invitation that made them a user: the address it was sent to, and the network address that accepted it.
    of: 'user',
    when: 'transaction',
    columns: ['personal_details.value'],
    values: ['userId'],
    sql: eraseDetails(`
      WITH joined AS MATERIALIZED (
        SELECT near.id, near.at, near.organization_id, near.type, near.target_id FROM change_log c
        JOIN change_log near ON near.at BETWEEN c.at - interval '1 minute' AND c.at + interval '1 minute'
          AND near.request_id = c.request_id AND near.actor_kind = 'anonymous'
          AND (near.user_id = c.user_id OR near.organization_id = c.organization_id)
        WHERE c.user_id = $1 AND c.actor_kind = 'anonymous' AND c.type IN ('user.created', 'member.added')
      ), invited AS (
        SELECT c.id, c.at FROM joined j JOIN change_log c ON c.organization_id = j.organization_id AND c.target_id = j.target_id
        WHERE j.type = 'invitation.accepted')
      SELECT d.at, d.change_id, d.kind FROM (SELECT id, at FROM joined UNION SELECT id, at FROM invited) AS row
      JOIN personal_details d ON d.at = row.at AND d.change_id = row.id
      WHERE d.value IS NOT NULL AND (d.kind = 'email' OR d.user_id IS NULL)`),
  },
  {
    // The addresses that their requests came from, which nobody is shown from now on.
    of: 'user',
    when: 'job',
    columns: ['personal_details.value'],
    values: ['userId'],
    sql: eraseDetails(
      `SELECT at, change_id, kind FROM personal_details WHERE user_id = $1 AND value IS NOT NULL LIMIT ${BATCH}`,
    ),
  },
  {
    of: 'user',
    when: 'job',
    columns: ['search_words.word'],
    values: ['userId'],
    sql: 'DELETE FROM search_words WHERE scope_id = $1',
  },
  {
    // An invitation from before they became a member in another way must not bring them back. One to an address that they only
    // claimed is another person's.
    of: 'member',
    when: 'transaction',
    columns: ['invitations.email', 'invitations.mail_error'],
    values: ['organizationId', 'userId'],
    sql: `
      DELETE FROM invitations i USING users u
      WHERE i.organization_id = $1 AND u.id = $2 AND u.email_verified AND lower(i.email) = lower(u.email)`,
  },
  {
    of: 'member',
    when: 'transaction',
    columns: BODIES,
    values: ['organizationId', 'userId'],
    sql: eraseBodies('d.organization_id = $1 AND d.user_id = $2'),
  },
  {
    of: 'recording',
    when: 'transaction',
    columns: BODIES,
    values: ['recordingIds'],
    sql: eraseBodies('d.recording_id = ANY ($1)'),
  },
  {
    // Of a personal recording whose owner is deleted already.
    of: 'recording',
    when: 'transaction',
    columns: ['search_words.word'],
    values: ['recordingIds'],
    sql: 'DELETE FROM search_words WHERE scope_id = ANY ($1)',
  },
  {
    // Words that no other text of the owner or organization has.
    of: 'recording',
    when: 'job',
    columns: ['search_words.word'],
    values: ['scopeId'],
    sql: `
      WITH used AS MATERIALIZED (SELECT DISTINCT config FROM search_entries WHERE scope_id = $1)
      DELETE FROM search_words w WHERE w.scope_id = $1 AND NOT EXISTS (
        SELECT FROM used JOIN search_entries e ON e.config = used.config AND e.scope_id = $1
          AND e.words @@ strip(${vectorOf('used.config', 'w.word')})::text::tsquery)`,
  },
  {
    // Whom it invited; nobody can read its log any more.
    of: 'organization',
    when: 'job',
    columns: ['personal_details.value'],
    values: ['organizationId'],
    sql: eraseDetails(`
      SELECT d.at, d.change_id, d.kind FROM change_log c
      JOIN personal_details d ON d.at = c.at AND d.change_id = c.id AND d.kind = 'email' AND d.value IS NOT NULL
      WHERE c.organization_id = $1 AND c.type IN ('invitation.created', 'invitation.resent') LIMIT ${BATCH}`),
  },
  {
    of: 'organization',
    when: 'job',
    columns: BODIES,
    values: ['organizationId'],
    sql: eraseBodies('d.organization_id = $1', `LIMIT ${BATCH}`),
  },
  {
    of: 'organization',
    when: 'job',
    columns: ['search_words.word'],
    values: ['organizationId'],
    sql: 'DELETE FROM search_words WHERE scope_id = $1',
  },
  ...(['user', 'organization', 'webhook'] as const).map((of) => ({
    of,
    when: 'job' as const,
    columns: BODIES,
    values: [],
    sql: DELETE_DELIVERIES,
  })),
];
