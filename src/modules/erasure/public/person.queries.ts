import type { EntityManager } from 'typeorm';
import { sql, type Sql } from '../../../platform/database/sql.js';

/** A person who is to be erased: a user, or somebody who was only invited, or only spoke. */
export interface Person {
  /** Where; null: in the whole installation. */
  readonly organizationId: string | null;
  readonly userId: string | null;
  /** Null also for an address that a user only claimed, which is perhaps another person's. */
  readonly email: string | null;
  /** How transcripts and action items name them; in any case. */
  readonly names: readonly string[];
}

/** What a person is called anywhere, in lower case. */
export const labelsOf = ({ email, names }: Person): string[] =>
  [...names, ...(email === null ? [] : [email])].map((name) => name.toLowerCase());

/** Whether a text says a name or the address, as words of its own. */
export const mentions = (person: Person, text: string): Sql => {
  const words = labelsOf(person).map((word) => word.replace(/[^\p{L}\p{N}\s]/gu, '\\$&'));
  const pattern = words.length === 0 ? null : `(^|[^[:alnum:]])(${words.join('|')})($|[^[:alnum:]])`;
  return sql`${() => text} ~* ${pattern}::text`;
};

/** Whether the column has the organization, or the erasure is of the whole installation. */
export const inScope = ({ organizationId }: Person, column: string): Sql =>
  sql`(${organizationId}::uuid IS NULL OR ${() => column} = ${organizationId}::uuid)`;

const isAddress = ({ email }: Person, column: string): Sql =>
  sql`lower(${() => column}) = lower(${email}::text)`;

/** What a person leaves outside of recordings: rows `t` of a table, which are deleted or lose it. */
interface Trace {
  readonly kind: string;
  readonly table: string;
  /** Null: the rows are deleted. */
  readonly set: string | null;
  readonly rows: (person: Person) => Sql;
}

const TRACES: readonly Trace[] = [
  {
    kind: 'invitations',
    table: 'invitations',
    set: null,
    rows: (person) => sql`${inScope(person, 't.organization_id')} AND ${isAddress(person, 't.email')}`,
  },
  {
    kind: 'share_links',
    table: 'share_links',
    set: 'label = NULL',
    rows: (person) => sql`${inScope(person, 't.organization_id')} AND ${mentions(person, 't.label')}`,
  },
  {
    // Keys that reach more than the organization remain the user's.
    kind: 'api_keys',
    table: 'api_keys',
    set: `name = '', last_used_address = NULL, client = NULL, revoked_at = COALESCE(t.revoked_at, now())`,
    rows: ({ organizationId, userId }) =>
      sql`t.user_id = ${userId}::uuid AND t.organization_ids = ARRAY[${organizationId}::uuid]
        AND (t.revoked_at IS NULL OR t.name <> '')`,
  },
  {
    kind: 'directory_entries',
    table: 'directory_users',
    set: null,
    rows: (person) => sql`${inScope(person, 't.organization_id')}
      AND (t.user_id = ${person.userId}::uuid OR ${isAddress(person, 't.email')})`,
  },
  {
    kind: 'voices',
    table: 'transcript_voices',
    set: null,
    rows: (person) => sql`${inScope(person, 't.organization_id')}
      AND (lower(t.speaker) = ANY (${labelsOf(person)}::text[]) OR lower(t.suggestion) = ANY (${labelsOf(person)}::text[]))`,
  },
  {
    kind: 'webhook_requests',
    table: 'webhook_attempts',
    set: 'body = NULL, response_body = NULL',
    rows: (person) => sql`(${mentions(person, 't.body')} OR ${mentions(person, 't.response_body')})
      AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.id = t.delivery_id AND ${inScope(person, 'd.organization_id')})`,
  },
  {
    // Their commitments remain, and with them the seals.
    kind: 'log_details',
    table: 'personal_details',
    set: 'value = NULL, salt = NULL',
    rows: (person) => sql`t.value IS NOT NULL
      AND (t.user_id = ${person.userId}::uuid OR (t.kind = 'email' AND ${isAddress(person, 't.value')}))
      AND EXISTS (SELECT FROM change_log c WHERE c.at = t.at AND c.id = t.change_id AND ${inScope(person, 'c.organization_id')})`,
  },
];

type Counts = Readonly<Record<string, number>>;

/** How much there is, by kind. */
export const countTraces = (manager: EntityManager, person: Person): Promise<Counts> =>
  eachTrace(
    ({ table, rows }) =>
      sql(manager).value<number>`SELECT count(*)::int FROM ${() => table} t WHERE ${rows(person)}`,
  );

/** Erases it, and returns how much there was, by kind; nothing when it is done again. */
export const eraseTraces = (manager: EntityManager, person: Person): Promise<Counts> =>
  eachTrace(({ table, set, rows }) => {
    const erase = set === null ? `DELETE FROM ${table} t` : `UPDATE ${table} t SET ${set}`;
    return sql(manager).count`${() => erase} WHERE ${rows(person)}`;
  });

async function eachTrace(count: (trace: Trace) => Promise<number>): Promise<Counts> {
  const counts: Record<string, number> = {};
  for (const trace of TRACES) counts[trace.kind] = await count(trace);
  return counts;
}
