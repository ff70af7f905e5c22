import type { EntityManager } from 'typeorm';
import { vectorOf } from '../../platform/database/text-search.sql.js';
import type { ReplySubjects } from '../../platform/idempotency/reply-checks.service.js';
import { type Sql, sql } from '../../platform/database/sql.js';
import { runPrepared } from '../../platform/database/prepared-query.js';
import type { PERSONAL_DATA, Subject } from './personal-data.js';

/** What is known of a deleted subject, by which what it has left is found. Each kind of subject has some of these. */
interface Traces {
  readonly userId: string;
  /** Null if it is not verified, and so perhaps another person's. */
  readonly email: string | null;
  readonly organizationId: string;
  readonly recordingIds: readonly string[];
  /** The owner or organization of deleted recordings. */
  readonly scopeId: string;
}

export type Deleted =
  | ({ readonly of: 'user' } & Pick<Traces, 'userId' | 'email'>)
  | ({ readonly of: 'member' } & Pick<Traces, 'organizationId' | 'userId'>)
  | ({ readonly of: 'recording' } & Pick<Traces, 'recordingIds'>)
  | ({ readonly of: 'organization' } & Pick<Traces, 'organizationId'>)
  | { readonly of: 'webhook' };

/** What a job erases. It never has an email address: a job that fails stays. */
export type ErasureJob = { readonly of: Subject } & Partial<
  Pick<Traces, 'userId' | 'organizationId' | 'scopeId'>
>;

interface Erasure {
  readonly of: Subject;
  readonly when: 'transaction' | 'job';
  readonly columns: readonly (keyof typeof PERSONAL_DATA)[];
  /** Erases at most `BATCH` rows in a job, which repeats it until there are none. */
  readonly statement: (traces: Traces) => Sql;
}

/** Rows that a statement of a job erases at a time. */
export const BATCH = 1_000;

const limit = sql`LIMIT ${BATCH}::int`;

const BODIES = ['webhook_attempts.body', 'webhook_attempts.response_body'] as const;
const INVITATIONS = ['invitations.email', 'invitations.mail_error'] as const;
const DETAILS = ['personal_details.value'] as const;
const WORDS = ['search_words.word'] as const;

/** A receiver may answer with what it was sent. */
const eraseBodies = (deliveries: Sql, atMost = sql``): Sql => sql`
  UPDATE webhook_attempts a SET body = NULL, response_body = NULL
  FROM (SELECT a.id FROM webhook_deliveries d JOIN webhook_attempts a ON a.delivery_id = d.id
        WHERE ${deliveries} AND (a.body IS NOT NULL OR a.response_body IS NOT NULL) ${atMost}) AS old
  WHERE a.id = old.id`;

const eraseDetails = (found: Sql): Sql => sql`
  UPDATE personal_details d SET value = NULL, salt = NULL
  FROM (${found}) AS old WHERE d.at = old.at AND d.change_id = old.change_id AND d.kind = old.kind`;

const deleteWords = (scopeIds: readonly string[]): Sql =>
  sql`DELETE FROM search_words WHERE scope_id = ANY (${scopeIds}::uuid[])`;

/** Deliveries of webhooks that no longer exist. */
const deleteDeliveries = (): Sql => sql`
  WITH RECURSIVE known AS (
    (SELECT webhook_id FROM webhook_deliveries ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.webhook_id FROM webhook_deliveries d WHERE d.webhook_id > known.webhook_id ORDER BY d.webhook_id LIMIT 1)
    FROM known WHERE known.webhook_id IS NOT NULL
  ), gone AS (
    SELECT d.id FROM known CROSS JOIN LATERAL (
      SELECT id FROM webhook_deliveries WHERE webhook_id = known.webhook_id ${limit}) AS d
    WHERE known.webhook_id IS NOT NULL AND NOT EXISTS (SELECT FROM webhooks w WHERE w.id = known.webhook_id)
    ${limit}
  )
  DELETE FROM webhook_deliveries USING gone WHERE webhook_deliveries.id = gone.id`;

const erasing = (
  of: Subject,
  when: Erasure['when'],
  columns: Erasure['columns'],
  statement: Erasure['statement'],
): Erasure => ({ of, when, columns, statement });

/** Erases what is deleted neither with its row nor with the recordings. Those of a transaction run in this order. */
export const ERASURES: readonly Erasure[] = [
  erasing(
    'user',
    'transaction',
    ['api_keys.name', 'api_keys.last_used_address', 'api_keys.client'],
    ({ userId }) => sql`
      WITH uses AS (DELETE FROM api_key_uses USING api_keys k WHERE k.id = api_key_id AND k.user_id = ${userId}::uuid)
      UPDATE api_keys SET name = '', last_used_address = NULL, client = NULL WHERE user_id = ${userId}::uuid`,
  ),
  erasing(
    'user',
    'transaction',
    INVITATIONS,
    ({ email }) => sql`DELETE FROM invitations WHERE lower(email) = lower(${email}::text)`,
  ),
  // Where their email address was invited.
  erasing('user', 'transaction', DETAILS, ({ email }) =>
    eraseDetails(sql`
        SELECT at, change_id, kind FROM personal_details WHERE kind = 'email' AND lower(value) = lower(${email}::text)`),
  ),
  // Of the invitation that made them a user: the address it was sent to, and the network address that accepted it.
  erasing('user', 'transaction', DETAILS, ({ userId }) =>
    eraseDetails(sql`
        WITH joined AS MATERIALIZED (
          SELECT near.id, near.at, near.organization_id, near.type, near.target_id FROM change_log c
          JOIN change_log near ON near.at BETWEEN c.at - interval '1 minute' AND c.at + interval '1 minute'
            AND near.request_id = c.request_id AND near.actor_kind = 'anonymous'
            AND (near.user_id = c.user_id OR near.organization_id = c.organization_id)
          WHERE c.user_id = ${userId}::uuid AND c.actor_kind = 'anonymous' AND c.type IN ('user.created', 'member.added')
        ), invited AS (
          SELECT c.id, c.at FROM joined j JOIN change_log c ON c.organization_id = j.organization_id AND c.target_id = j.target_id
          WHERE j.type = 'invitation.accepted')
        SELECT d.at, d.change_id, d.kind FROM (SELECT id, at FROM joined UNION SELECT id, at FROM invited) AS row
        JOIN personal_details d ON d.at = row.at AND d.change_id = row.id
        WHERE d.value IS NOT NULL AND (d.kind = 'email' OR d.user_id IS NULL)`),
  ),
  // The addresses that their requests came from, which nobody is shown from now on.
  erasing('user', 'job', DETAILS, ({ userId }) =>
    eraseDetails(sql`
        SELECT at, change_id, kind FROM personal_details WHERE user_id = ${userId}::uuid AND value IS NOT NULL ${limit}`),
  ),
  erasing('user', 'job', WORDS, ({ userId }) => deleteWords([userId])),
  // An invitation from before they became a member in another way must not bring them back. One to an address that
  // they only claimed is another person's.
  erasing(
    'member',
    'transaction',
    INVITATIONS,
    ({ organizationId, userId }) => sql`
      DELETE FROM invitations i USING users u
      WHERE i.organization_id = ${organizationId}::uuid AND u.id = ${userId}::uuid AND u.email_verified
        AND lower(i.email) = lower(u.email)`,
  ),
  erasing('member', 'transaction', BODIES, ({ organizationId, userId }) =>
    eraseBodies(sql`d.organization_id = ${organizationId}::uuid AND d.user_id = ${userId}::uuid`),
  ),
  erasing('recording', 'transaction', BODIES, ({ recordingIds }) =>
    eraseBodies(sql`d.recording_id = ANY (${recordingIds}::uuid[])`),
  ),
  // Of a personal recording whose owner is deleted already.
  erasing('recording', 'transaction', WORDS, ({ recordingIds }) => deleteWords(recordingIds)),
  // Words that no other text of the owner or organization has.
  erasing(
    'recording',
    'job',
    WORDS,
    ({ scopeId }) => sql`
      WITH used AS MATERIALIZED (SELECT DISTINCT config FROM search_entries WHERE scope_id = ${scopeId}::uuid)
      DELETE FROM search_words w WHERE w.scope_id = ${scopeId}::uuid AND NOT EXISTS (
        SELECT FROM used JOIN search_entries e ON e.config = used.config AND e.scope_id = ${scopeId}::uuid
          AND e.words @@ strip(${() => vectorOf('used.config', 'w.word')})::text::tsquery)`,
  ),
  // Whom it invited; nobody can read its log any more.
  erasing('organization', 'job', DETAILS, ({ organizationId }) =>
    eraseDetails(sql`
        SELECT d.at, d.change_id, d.kind FROM change_log c
        JOIN personal_details d ON d.at = c.at AND d.change_id = c.id AND d.kind = 'email' AND d.value IS NOT NULL
        WHERE c.organization_id = ${organizationId}::uuid AND c.type IN ('invitation.created', 'invitation.resent') ${limit}`),
  ),
  erasing('organization', 'job', BODIES, ({ organizationId }) =>
    eraseBodies(sql`d.organization_id = ${organizationId}::uuid`, limit),
  ),
  erasing('organization', 'job', WORDS, ({ organizationId }) => deleteWords([organizationId])),
  ...(['user', 'organization', 'webhook'] as const).map((of) => erasing(of, 'job', BODIES, deleteDeliveries)),
];

/** Erases what a statement finds of the subject, in the transaction of its deletion; prepared, as that waits for it. */
export async function eraseAtOnce(manager: EntityManager, erasure: Erasure, subject: Deleted): Promise<void> {
  const name = `erasure-${ERASURES.indexOf(erasure)}`;
  await runPrepared(manager, name, erasure.statement(subject as unknown as Traces));
}

/** Erases what a statement finds of the subject, and returns the number of rows. */
export const erase = (manager: EntityManager, { statement }: Erasure, subject: ErasureJob): Promise<number> =>
  sql(manager).count`${statement(subject as unknown as Traces)}`;

/** Returns the organizations or owners of recordings, from the rows that their deletion has just logged. */
export async function findScopes(manager: EntityManager, recordingIds: readonly string[]): Promise<string[]> {
  const scopes = await runPrepared<{ id: string }>(
    manager,
    'deleted-scopes',
    sql`
    SELECT DISTINCT coalesce(organization_id, owner_id) AS id FROM change_log
    WHERE target_id = ANY (${recordingIds}::uuid[]) AND type IN ('recording.deleted', 'recording.purged')
      AND at > now() - interval '1 hour'
      AND coalesce(organization_id, owner_id) IS NOT NULL`,
  );
  return scopes.map(({ id }) => id);
}

/** Returns whether somebody else has deleted any of these since a minute before `userId` was sent a reply with them. */
export const isAnyDeletedSince = (
  manager: EntityManager,
  { ids, userId, keptAt }: ReplySubjects,
): Promise<boolean> =>
  sql(manager).value<boolean>`
    SELECT EXISTS (
      SELECT FROM change_log WHERE target_id = ANY (${ids}::uuid[]) AND at > ${keptAt}::timestamptz - interval '1 minute'
        AND type IN ('user.deleted', 'member.removed', 'recording.deleted', 'organization.deleted')
        AND (at > ${keptAt}::timestamptz OR actor_id IS DISTINCT FROM ${userId}::uuid))`;
