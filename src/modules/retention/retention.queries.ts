import type { EntityManager } from 'typeorm';
import type { Removal } from '../../contract/changes/change-details.js';
import { joined, sql, tableOf, type Sql } from '../../platform/database/sql.js';
import type { UserPlan } from '../../policy/plans.js';
import type { RetentionRule } from '../../policy/retention.js';
import { IS_HELD } from '../legal-holds/public/held.queries.js';
import { MET_AT, PLACE, PLACED_AT, TEXTS } from './ends/public/retention-facts.queries.js';

/** The recordings of an organization, or the personal ones of users with a plan, and the rules for them in their order. */
export interface RetentionScope {
  readonly of: { readonly organizationId: string } | { readonly ownerPlan: UserPlan };
  readonly rules: readonly RetentionRule[];
}

/** Says of a recording `r` and its `TEXTS` whether it has what a rule removes. */
const HAS: Readonly<Record<Removal, string>> = {
  all: 'true',
  media: 'r.deleted_at IS NULL AND (r.media_key IS NOT NULL OR NOT r.without_media)',
  original: 'r.deleted_at IS NULL AND r.source_key IS NOT NULL',
  transcript: `r.deleted_at IS NULL AND COALESCE(t.status IN ('completed', 'failed'), false)`,
};

const IS_REMOVABLE = `r.status IN ('COMPLETED', 'ERROR') AND COALESCE(t.status, '') <> 'processing'
  AND COALESCE(s.status, '') <> 'processing'`;

/** `retentionOf` in SQL: joins the rule that ends first for a recording `r` as `e`. A property test keeps them in agreement. */
export const joinStrictest = (rules: readonly RetentionRule[]): Sql => sql`CROSS JOIN LATERAL (
  SELECT * FROM (${joined(rules.map(endOf), ' UNION ALL ')}) ends ORDER BY ends_at, rank LIMIT 1) e`;

function endOf(rule: RetentionRule, rank: number): Sql {
  const { removes, days, countedFrom, folderId, except, effectiveAt, noticeDays } = rule;
  const from = countedFrom === 'last_view' ? `GREATEST(${MET_AT}, r.viewed_at)` : MET_AT;
  const awaited =
    removes === 'media' && days === 0
      ? `(t.status = 'completed' AND s.status = 'completed') IS NOT TRUE`
      : 'false';
  return sql`SELECT ${rank}::int AS rank, ${noticeDays}::int AS notice_days,
      ${() => (removes === 'all' ? 'true' : IS_REMOVABLE)} AS is_removable,
      GREATEST(
        CASE WHEN ${() => awaited} THEN GREATEST(${() => from}, ${() => PLACED_AT}) + interval '24 hours'
          ELSE ${() => from} + make_interval(hours => ${24 * days}::int) END,
        ${effectiveAt}::timestamptz, ${() => PLACED_AT} + make_interval(hours => ${24 * Math.min(days, noticeDays)}::int)
      ) AS ends_at
    WHERE ${() => HAS[removes]}
      AND (${folderId}::uuid IS NULL OR ${() => PLACE.folderId} = ${folderId}::uuid)
      AND (${() => PLACE.ownerId} = ANY (${except.owner_ids}::uuid[])) IS NOT TRUE
      AND (${() => PLACE.folderId} = ANY (${except.folder_ids}::uuid[])) IS NOT TRUE
      AND NOT EXISTS (SELECT FROM unnest(${except.titles}::text[]) AS given (pattern) WHERE r.title_folded LIKE title_like(given.pattern))`;
}

function inScope({ of }: RetentionScope): Sql {
  return 'organizationId' in of
    ? sql`(r.organization_id = ${of.organizationId}::uuid OR r.deleted_organization_id = ${of.organizationId}::uuid)`
    : sql`${() => PLACE.organizationId} IS NULL AND EXISTS (
        SELECT FROM users u WHERE u.id = ${() => PLACE.ownerId} AND u.plan = ${of.ownerPlan})`;
}

/**
 * Finds recordings of which something is due, or that are to be announced, after the one with the id `after`: in the
 * order of their ids, at most `limit`.
 */
export async function findDue(
  manager: EntityManager,
  scope: RetentionScope,
  { now, after, limit }: { readonly now: Date; readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await sql(manager)<{ id: string }>`
    SELECT r.id FROM recordings r ${() => TEXTS} ${joinStrictest(scope.rules)}
    WHERE ${inScope(scope)} AND r.id > ${after}::uuid AND CASE WHEN e.ends_at <= ${now} THEN e.is_removable AND NOT ${IS_HELD}
      ELSE r.deleted_at IS NULL AND e.ends_at <= ${now}::timestamptz + make_interval(hours => 24 * e.notice_days)
        AND r.retention_noticed_for IS DISTINCT FROM e.ends_at END
    ORDER BY r.id LIMIT ${limit}::int`;
  return rows.map(({ id }) => id);
}

/** Those of organizations with rules of their own, or on a plan with a cap, after the one with the id `after`. */
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

/** A recording of which something goes, or will go. */
export interface Purge {
  readonly id: string;
  readonly details: {
    readonly removes: Removal;
    readonly rule: string | null;
    /** ISO time. */
    readonly at?: string;
  };
}

/** Logs what goes of recordings, while they are still there, or what will go: then also notes that it has been said. */
export async function logRetention(
  manager: EntityManager,
  type: 'recording.purged' | 'recording.retention_due',
  purges: readonly Purge[],
): Promise<void> {
  const due = tableOf(
    [
      ['id', 'uuid', purges.map(({ id }) => id)],
      ['details', 'text', purges.map(({ details }) => JSON.stringify(details))],
    ],
    'due',
  );
  await sql(manager)`
    SELECT log_recording_change(${type}, r, r.id, due.details::jsonb)
    FROM ${due} JOIN recordings r ON r.id = due.id`;
  if (type === 'recording.retention_due')
    await sql(manager)`
      UPDATE recordings r SET retention_noticed_for = (due.details::jsonb ->> 'at')::timestamptz
      FROM ${due} WHERE r.id = due.id`;
}

interface Named {
  readonly folderIds: readonly string[];
  readonly ownerIds: readonly string[];
}

/** Finds which of these folders and members an organization has. */
export const findKnown = (manager: EntityManager, organizationId: string, named: Named): Promise<Named> =>
  sql(manager).row<Named>`
    SELECT ARRAY(SELECT id FROM folders WHERE organization_id = ${organizationId}::uuid AND deleted_at IS NULL
                 AND id = ANY (${named.folderIds}::uuid[])) AS "folderIds",
      ARRAY(SELECT user_id FROM organization_members WHERE organization_id = ${organizationId}::uuid
            AND user_id = ANY (${named.ownerIds}::uuid[])) AS "ownerIds"`;

/** Finds the address of an owner, how many of their recordings are announced, and when the first of them goes. */
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

export interface PreviewedRecording {
  readonly id: string;
  readonly title: string;
  readonly endsAt: Date;
  /** The place of its rule in those of the scope. */
  readonly rank: number;
  /** Whether it will stay, because of a legal hold of its organization. */
  readonly isHeld: boolean;
}

/** The recordings of an organization, but those in the bin, of which something goes until a time. */
const foundUntil = (rules: readonly RetentionRule[], organizationId: string, until: Date): Sql => sql`
  SELECT r.id, r.title, e.ends_at AS "endsAt", e.rank, EXISTS (
    SELECT FROM held_recordings held JOIN legal_holds hold ON hold.id = held.hold_id
    WHERE held.recording_id = r.id AND hold.organization_id = ${organizationId}::uuid) AS "isHeld"
  FROM recordings r ${() => TEXTS} ${joinStrictest(rules)}
  WHERE r.organization_id = ${organizationId}::uuid AND e.ends_at <= ${until}`;

export interface PreviewedCount {
  readonly rank: number;
  readonly recordings: number;
  readonly held: number;
}

export interface Preview {
  readonly counts: readonly PreviewedCount[];
  /** The first of them. */
  readonly first: readonly PreviewedRecording[];
}

export async function previewUntil(
  manager: EntityManager,
  { rules, organizationId, until, limit }: PreviewOptions,
): Promise<Preview> {
  if (rules.length === 0) return { counts: [], first: [] };
  const found = foundUntil(rules, organizationId, until);
  const counts = await sql(manager)<PreviewedCount>`
    SELECT rank, count(*)::int AS recordings, count(*) FILTER (WHERE "isHeld")::int AS held
    FROM (${found}) found GROUP BY rank ORDER BY rank`;
  const first = await sql(manager)<PreviewedRecording>`
    SELECT * FROM (${found}) found ORDER BY "endsAt", id LIMIT ${limit}::int`;
  return { counts, first };
}

interface PreviewOptions {
  readonly rules: readonly RetentionRule[];
  readonly organizationId: string;
  readonly until: Date;
  readonly limit: number;
}
