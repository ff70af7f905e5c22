import type { EntityManager } from 'typeorm';
import { sql } from '../../../../platform/database/sql.js';
import type { Plan, UserPlan } from '../../../../policy/plans.js';
import type { OrganizationRule, RetentionFacts } from '../../../../policy/retention.js';
import { IS_HELD } from '../../../legal-holds/public/held.queries.js';

/** Where a recording `r` is, or was before it was put into the bin. */
export const PLACE = {
  organizationId: 'COALESCE(r.organization_id, r.deleted_organization_id)',
  ownerId: 'COALESCE(r.owner_id, r.deleted_owner_id)',
  folderId: 'COALESCE(r.folder_id, r.deleted_folder_id)',
} as const;

/** In milliseconds, as everything that it is compared with. */
export const MET_AT = `date_trunc('milliseconds',
  COALESCE(r.ended_at, r.started_at + make_interval(secs => r.duration), r.created_at))`;

export const PLACED_AT = 'COALESCE(r.placed_at, r.created_at)';

/** What belongs to the recording `r` and rules look at. */
export const TEXTS = `LEFT JOIN transcripts t ON t.recording_id = r.id LEFT JOIN summaries s ON s.recording_id = r.id`;

export interface FoundFacts extends RetentionFacts {
  readonly id: string;
  readonly organizationId: string | null;
  /** Null if the owner has been deleted. */
  readonly ownerPlan: UserPlan | null;
  /** The end that was announced last. */
  readonly noticedFor: Date | null;
  readonly isHeld: boolean;
}

/** Finds the facts about recordings, in the order of their ids; with `locked`, they stay so until the transaction has ended. */
export async function findRetentionFacts(
  manager: EntityManager,
  recordingIds: readonly string[],
  locked: boolean,
): Promise<FoundFacts[]> {
  return sql(manager)<FoundFacts>`
    SELECT r.id, ${() => PLACE.organizationId} AS "organizationId", ${() => PLACE.ownerId} AS "ownerId",
      ${() => PLACE.folderId} AS "folderId", ${() => MET_AT} AS "metAt", r.viewed_at AS "viewedAt",
      ${() => PLACED_AT} AS "placedAt", r.status, r.media_key IS NOT NULL AS "hasMedia", r.without_media AS "withoutMedia",
      r.source_key IS NOT NULL AS "hasOriginal", t.status AS transcript, s.status AS summary,
      r.deleted_at IS NOT NULL AS "inBin", r.retention_noticed_for AS "noticedFor", ${IS_HELD} AS "isHeld",
      (SELECT u.plan FROM users u WHERE u.id = ${() => PLACE.ownerId}) AS "ownerPlan",
      ARRAY(SELECT rule ->> 'id' FROM organization_retention o, jsonb_array_elements(o.rules) rule
            WHERE o.organization_id = ${() => PLACE.organizationId} AND EXISTS (
              SELECT FROM jsonb_array_elements_text(rule -> 'except' -> 'titles') AS given (pattern)
              WHERE r.title_folded LIKE title_like(given.pattern))) AS "exceptedBy"
    FROM recordings r ${() => TEXTS}
    WHERE r.id = ANY (${recordingIds}::uuid[]) ORDER BY r.id ${() => (locked ? 'FOR UPDATE OF r' : '')}`;
}

export interface FoundRules {
  readonly organizationId: string;
  readonly plan: Plan;
  readonly noticeDays: number;
  readonly rules: readonly OrganizationRule[];
}

export async function findOrganizationRules(
  manager: EntityManager,
  organizationIds: readonly string[],
): Promise<FoundRules[]> {
  return sql(manager)<FoundRules>`
    SELECT o.id AS "organizationId", o.plan, COALESCE(x.notice_days, 0) AS "noticeDays", COALESCE(x.rules, '[]') AS rules
    FROM organizations o LEFT JOIN organization_retention x ON x.organization_id = o.id
    WHERE o.id = ANY (${organizationIds}::uuid[])`;
}
