import type { EntityManager } from 'typeorm';
import { sql, type Sql } from '../../../../platform/database/sql.js';
import type { Plan } from '../../../../policy/plans.js';
import type { OrganizationRetention, Retention, RetentionRule } from '../../../../policy/retention.js';

/** Where a recording `r` is, or was before it was put into the bin. */
export const PLACE = {
  organizationId: 'COALESCE(r.organization_id, r.deleted_organization_id)',
  ownerId: 'COALESCE(r.owner_id, r.deleted_owner_id)',
  folderId: 'COALESCE(r.folder_id, r.deleted_folder_id)',
} as const;

/** When the meeting ended, as far as known; in milliseconds, like everything that it is compared with. */
const MET_AT = `date_trunc('milliseconds',
  COALESCE(r.ended_at, r.started_at + make_interval(secs => r.duration), r.created_at))`;
const COUNTED_FROM = `GREATEST(${MET_AT}, CASE rule.counted_from WHEN 'last_view' THEN r.viewed_at END)`;
/** A move between folders begins the notice only of rules for which these matter, so that it cannot evade the others. */
const PLACED_AT = `GREATEST(r.placed_at, r.created_at,
  CASE WHEN rule.folder_id IS NOT NULL OR rule."except" -> 'folder_ids' <> '[]' THEN r.filed_at END)`;

/** Whether there is anything left that a rule removes. */
const APPLIES = `rule.removes = 'all' OR r.deleted_at IS NULL AND CASE rule.removes
  WHEN 'media' THEN r.media_key IS NOT NULL OR NOT r.without_media
  WHEN 'original' THEN r.source_key IS NOT NULL
  WHEN 'transcript' THEN t.status IN ('completed', 'failed') END`;

/** Media and texts are kept while something is being made from them. */
const IS_REMOVABLE = `rule.removes = 'all' OR r.status IN ('COMPLETED', 'ERROR')
  AND COALESCE(t.status, '') <> 'processing' AND COALESCE(s.status, '') <> 'processing'`;

/** With zero days, media is kept until its texts are there; if they fail, for a day in which to try again. */
const IS_AWAITED = `rule.removes = 'media' AND rule.days = 0
  AND (t.status = 'completed' AND s.status = 'completed') IS NOT TRUE`;

const days = (number: string): string => `make_interval(hours => 24 * ${number})`;

/**
 * Recordings `r`, each joined with the `rule` for it that ends first, as `e`; `rank` is its index in `rules`. None ends
 * before it is in force, nor before the notice that follows when the recording is created, moved into its organization
 * or folder, or restored.
 */
export const withStrictest = (rules: readonly RetentionRule[]): Sql => sql`
  recordings r LEFT JOIN transcripts t ON t.recording_id = r.id LEFT JOIN summaries s ON s.recording_id = r.id
  CROSS JOIN LATERAL (
    SELECT rule.rank, jsonb_build_object('id', rule.id, 'removes', rule.removes, 'source', rule.source) AS rule,
      rule.notice_days, ${() => IS_REMOVABLE} AS is_removable, GREATEST(
        CASE WHEN ${() => IS_AWAITED} THEN GREATEST(${() => COUNTED_FROM}, ${() => PLACED_AT}) + ${() => days('1')}
          ELSE ${() => COUNTED_FROM} + ${() => days('rule.days')} END,
        rule.effective_at, ${() => PLACED_AT} + ${() => days('LEAST(rule.days, rule.notice_days)')}) AS ends_at
    FROM jsonb_to_recordset(${JSON.stringify(rules.map((rule, rank) => ({ ...rule, rank })))}::jsonb) AS rule (
      rank int, id uuid, source text, organization_id uuid, owner_plan text, removes text, days int, notice_days int,
      counted_from text, folder_id uuid, "except" jsonb, effective_at timestamptz)
    WHERE rule.organization_id IS NOT DISTINCT FROM ${() => PLACE.organizationId}
      AND (rule.owner_plan IS NULL OR rule.owner_plan = (SELECT u.plan FROM users u WHERE u.id = ${() => PLACE.ownerId}))
      AND (rule.folder_id IS NULL OR rule.folder_id = ${() => PLACE.folderId})
      AND (rule."except" -> 'owner_ids' ? ${() => PLACE.ownerId}::text) IS NOT TRUE
      AND (rule."except" -> 'folder_ids' ? ${() => PLACE.folderId}::text) IS NOT TRUE
      AND NOT EXISTS (SELECT FROM jsonb_array_elements_text(rule."except" -> 'titles') AS given (pattern)
        WHERE r.title_folded LIKE title_like(given.pattern))
      AND (${() => APPLIES})
    ORDER BY ends_at, rule.rank LIMIT 1) e`;

/** Finds which of these recordings a rule will remove, in whole or in part, when, and by which rule. */
export const findEnds = (
  manager: EntityManager,
  rules: readonly RetentionRule[],
  recordingIds: readonly string[],
): Promise<(Retention & { readonly id: string })[]> =>
  sql(manager)`
    SELECT r.id, e.ends_at AS "endsAt", e.rule FROM ${withStrictest(rules)} WHERE r.id = ANY (${recordingIds}::uuid[])`;

interface FoundTerms extends OrganizationRetention {
  readonly id: string;
  readonly plan: Plan;
}

export const findTerms = (
  manager: EntityManager,
  organizationIds: readonly string[],
): Promise<FoundTerms[]> =>
  sql(manager)<FoundTerms>`
    SELECT o.id, o.plan, COALESCE(x.notice_days, 0) AS "noticeDays", COALESCE(x.rules, '[]') AS rules
    FROM organizations o LEFT JOIN organization_retention x ON x.organization_id = o.id
    WHERE o.id = ANY (${organizationIds}::uuid[])`;
