import type { EntityManager } from 'typeorm';
import type { ChangeTypeName } from '../../contract/changes/change-catalog.js';
import { LOCKS } from '../../platform/database/lock-numbers.js';
import { sql } from '../../platform/database/sql.js';

/** A row of the log that a request causes without changing anything. */
export interface SecurityEvent {
  readonly type: ChangeTypeName;
  readonly actorKind: 'user' | 'anonymous' | 'recipient';
  readonly actorId: string | null;
  /** Null for a recipient of a share link. */
  readonly apiKeyId: string | null;
  readonly requestId: string;
  readonly address: string;
  readonly client: string | undefined;
  /** Not logged if there is no such organization. */
  readonly organizationId?: string | null;
  /** The recording that was read, which also says of which organization the row is. */
  readonly recordingId?: string;
  readonly targetId?: string;
  readonly userId?: string;
  /** Several of them, as counted, are one row. */
  readonly details: {
    readonly operation?: string | null;
    readonly code?: string;
    readonly count?: number;
    readonly provider?: string;
  };
}

/**
 * Writes rows of the log, without address and client of a user who has just been deleted: those are erased already. Of a
 * personal recording, its owner is the user concerned.
 */
export async function logSecurityEvents(
  manager: EntityManager,
  events: readonly SecurityEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await sql(manager)`
    WITH given AS MATERIALIZED (
      SELECT uuid_v7() AS id, g.* FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb) AS g (type text, "actorKind" text, "actorId" uuid, "apiKeyId" uuid,
        "requestId" text, address text, client text, "organizationId" uuid, "recordingId" uuid, "targetId" uuid, "userId" uuid, details jsonb)
    ), present AS MATERIALIZED (
      SELECT u.id FROM users u WHERE u.id IN (SELECT coalesce("actorId", "userId") FROM given) ORDER BY u.id FOR KEY SHARE
    ), logged AS (
      INSERT INTO change_log (id, type, actor_kind, actor_id, api_key_id, request_id, organization_id, recording_id, target_id,
        user_id, owner_id, folder_id, details)
      SELECT g.id, g.type, g."actorKind", g."actorId", g."apiKeyId", g."requestId", o.id, g."recordingId", g."targetId",
        coalesce(g."userId", CASE WHEN o.id IS NULL THEN r.owner_id END), r.owner_id, r.folder_id, g.details
      FROM given g LEFT JOIN recordings r ON r.id = g."recordingId"
      LEFT JOIN organizations o ON o.id = coalesce(g."organizationId", r.organization_id) AND o.deleted_at IS NULL
      RETURNING at, id
    )
    INSERT INTO personal_details (at, change_id, kind, user_id, value, salt, commitment)
    SELECT at, id, kind, user_id, value, salt, sha256(convert_to(salt || value, 'UTF8'))
    FROM (SELECT l.at, l.id, p.id AS user_id, detail.kind, detail.value, gen_random_uuid()::text AS salt
          FROM logged l JOIN given g ON g.id = l.id LEFT JOIN present p ON p.id = coalesce(g."actorId", g."userId")
          CROSS JOIN LATERAL (VALUES ('address', g.address), ('client', g.client)) AS detail (kind, value)
          WHERE detail.value <> '' AND (p.id IS NOT NULL OR g."actorKind" = 'recipient')) AS known`;
}

/** Lets no other process write security events until the transaction ends. */
export async function lockSecurityEvents(manager: EntityManager): Promise<void> {
  await sql(manager)`SELECT pg_advisory_xact_lock(${LOCKS.signIns}::bigint)`;
}

/** The sign-ins that succeeded since then with these keys, at most `limit` of each. */
export const findSignIns = async (
  manager: EntityManager,
  { apiKeyIds, since, limit }: { apiKeyIds: readonly string[]; since: Date; limit: number },
): Promise<{ readonly apiKeyId: string; readonly address: string | null }[]> => sql(manager)`
    SELECT k.id AS "apiKeyId", recent.value AS address FROM unnest(${apiKeyIds}::uuid[]) AS k (id)
    CROSS JOIN LATERAL (
      SELECT d.value FROM change_log c
      LEFT JOIN personal_details d ON d.at = c.at AND d.change_id = c.id AND d.kind = 'address'
      WHERE c.type = 'sign_in.succeeded' AND c.api_key_id = k.id AND c.at > ${since}
      LIMIT ${limit}::int) AS recent`;
