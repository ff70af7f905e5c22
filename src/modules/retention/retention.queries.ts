import type { EntityManager } from 'typeorm';
import { sql, type Sql } from '../../platform/database/sql.js';
import type { Retention, RetentionRule } from '../../policy/retention.js';
import { IS_HELD } from '../legal-holds/public/held.queries.js';
import { PLACE, withStrictest } from './ends/public/retention-ends.queries.js';
import { RETENTION_LIMITS } from './retention-limits.js';

/** Recordings of an organization; null: personal ones. */
interface RetentionScope {
  readonly organizationId: string | null;
  /** A condition on the recording `r`. */
  readonly where: Sql;
  readonly rules: readonly RetentionRule[];
  readonly now: Date;
}

/** Recordings of one transaction: each may have thousands of rows that go with it. */
const BATCH = 50;

/** A recording that a rule removes, in whole or in part, now or soon. */
export interface FoundDue extends Retention {
  readonly id: string;
  readonly ownerId: string | null;
  readonly inBin: boolean;
  /** Whether it is to be removed now; otherwise, its removal is to be announced. */
  readonly isDue: boolean;
}

/** Finds recordings that a rule removes now, in whole or in part, or whose removal is to be announced, by their ids. */
export const findDue = (
  manager: EntityManager,
  { organizationId, where, rules, now }: RetentionScope,
): Promise<FoundDue[]> =>
  sql(manager)<FoundDue>`
    SELECT r.id, r.owner_id AS "ownerId", r.deleted_at IS NOT NULL AS "inBin", e.ends_at AS "endsAt", e.rule,
      e.ends_at <= ${now} AS "isDue"
    FROM ${withStrictest(rules)}
    WHERE ${placedIn(organizationId)} AND ${where} AND CASE WHEN e.ends_at <= ${now} THEN e.is_removable AND NOT ${IS_HELD}
      ELSE r.deleted_at IS NULL AND e.ends_at <= ${now}::timestamptz + make_interval(hours => 24 * e.notice_days)
        AND r.retention_noticed_for IS DISTINCT FROM e.ends_at END
    ORDER BY r.id LIMIT ${BATCH}::int`;

const placedIn = (organizationId: string | null): Sql =>
  organizationId === null
    ? sql`${() => PLACE.organizationId} IS NULL`
    : sql`(r.organization_id = ${organizationId}::uuid OR r.deleted_organization_id = ${organizationId}::uuid)`;

export async function lockFound(manager: EntityManager, ids: readonly string[]): Promise<void> {
  await sql(manager)`SELECT FROM recordings WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR UPDATE`;
}

/** Finds organizations with rules of their own or on one of these plans, after the one with the id `after`. */
export async function findRetainingOrganizations(
  manager: EntityManager,
  plans: readonly string[],
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql(manager)<{ id: string }>`
    SELECT o.id FROM organizations o
    WHERE o.id > ${after}::uuid AND o.deleted_at IS NULL AND (o.plan = ANY (${plans}::text[])
      OR EXISTS (SELECT FROM organization_retention x WHERE x.organization_id = o.id AND x.rules <> '[]'))
    ORDER BY o.id LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/** Logs removals, while the recordings are still there, or the announcement of removals. */
export async function logRetention(
  manager: EntityManager,
  type: 'recording.purged' | 'recording.retention_due',
  entries: readonly { readonly id: string; readonly details: object }[],
): Promise<void> {
  const [ids, details] = [entries.map(({ id }) => id), entries.map((one) => JSON.stringify(one.details))];
  await sql(manager)`
    SELECT log_recording_change(${type}, r, r.id, logged.details::jsonb)
    FROM unnest(${ids}::uuid[], ${details}::text[]) AS logged (id, details) JOIN recordings r ON r.id = logged.id`;
}

/** Notes what has been announced, so that it is announced only once. */
export async function noteAnnounced(manager: EntityManager, announced: readonly FoundDue[]): Promise<void> {
  const [ids, ends] = [announced.map(({ id }) => id), announced.map(({ endsAt }) => endsAt)];
  await sql(manager)`
    UPDATE recordings r SET retention_noticed_for = due.ends_at
    FROM unnest(${ids}::uuid[], ${ends}::timestamptz[]) AS due (id, ends_at) WHERE r.id = due.id`;
}

/** Finds which of these ids are folders and members of an organization. */
export const findKnown = (
  manager: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<{ readonly folder: readonly string[]; readonly member: readonly string[] }> =>
  sql(manager).row`
    SELECT ARRAY(SELECT id FROM folders WHERE organization_id = ${organizationId}::uuid AND deleted_at IS NULL
                 AND id = ANY (${ids}::uuid[])) AS folder,
      ARRAY(SELECT user_id FROM organization_members WHERE organization_id = ${organizationId}::uuid
            AND user_id = ANY (${ids}::uuid[])) AS member`;

/** Finds the address of an owner, how many removals have been announced to them, and when the first one is. */
export async function findNotice(
  manager: EntityManager,
  ownerId: string,
  now: Date,
): Promise<{ readonly email: string; readonly recordings: number; readonly endsAt: Date } | undefined> {
  const [found] = await sql(manager)<{ email: string; recordings: number; endsAt: Date }>`
    SELECT u.email, count(*)::int AS recordings, min(r.retention_noticed_for) AS "endsAt"
    FROM users u JOIN recordings r ON r.owner_id = u.id AND r.retention_noticed_for > ${now}
    WHERE u.id = ${ownerId}::uuid AND u.email_verified GROUP BY u.id`;
  return found;
}

export interface FoundPreview extends Retention {
  readonly id: string;
  readonly title: string;
  /** How many recordings there are, beyond the limit too. */
  readonly total: number;
}

/** Finds the first recordings that the rules of an organization remove by a given time, without those in the bin. */
export const findPreview = (
  manager: EntityManager,
  rules: readonly RetentionRule[],
  { organizationId, until }: { readonly organizationId: string; readonly until: Date },
): Promise<FoundPreview[]> =>
  sql(manager)<FoundPreview>`
    SELECT r.id, r.title, e.ends_at AS "endsAt", e.rule, count(*) OVER ()::int AS total FROM ${withStrictest(rules)}
    WHERE r.organization_id = ${organizationId}::uuid AND e.ends_at <= ${until}
    ORDER BY e.ends_at, r.id LIMIT ${RETENTION_LIMITS.preview}::int`;
