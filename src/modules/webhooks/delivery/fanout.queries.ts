import type { EntityManager } from 'typeorm';
import { sql } from '../../../platform/database/sql.js';
import type { WebhookReader } from './webhook-reader.js';

/** A webhook that may be sent some of the events. */
export interface Candidate extends WebhookReader {
  readonly id: string;
  /** Null if it belongs to an organization. */
  readonly userId: string | null;
  /** The organizations whose events it may be sent, besides those of its user. */
  readonly organizationIds: readonly string[];
  readonly types: readonly string[];
  readonly reader: string;
}

/** The webhooks of the organizations, of their members, also former ones, and of the users concerned. */
export async function findCandidates(
  manager: EntityManager,
  events: {
    readonly organizationIds: readonly string[];
    readonly userIds: readonly string[];
    readonly since: Date;
  },
): Promise<Candidate[]> {
  const organizations = sql`${events.organizationIds}::uuid[]`;
  const left = sql`h.organization_id = ANY (${organizations}) AND h.type = 'member.removed' AND h.at >= ${events.since}::timestamptz`;
  const statement = sql`
    SELECT w.id, w.user_id AS "userId", w.types, w.created_by AS reader, w.organization_id AS home,
      CASE WHEN w.user_id IS NULL THEN ARRAY[w.organization_id] ELSE ARRAY(
        SELECT m.organization_id FROM organization_members m
        WHERE m.user_id = w.user_id AND m.organization_id = ANY (${organizations})
        UNION SELECT h.organization_id FROM change_log h WHERE h.target_id = w.user_id AND ${left}) END AS "organizationIds"
    FROM webhooks w
    WHERE w.enabled AND w.created_by IS NOT NULL AND (
      w.organization_id = ANY (${organizations}) OR w.user_id = ANY (${events.userIds}::uuid[])
      OR w.user_id IN (SELECT m.user_id FROM organization_members m WHERE m.organization_id = ANY (${organizations}))
      OR w.user_id IN (SELECT h.target_id FROM change_log h WHERE ${left}))`;
  return sql(manager)`${statement}`;
}
