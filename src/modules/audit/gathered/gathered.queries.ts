import type { EntityManager } from 'typeorm';
import type { ChangeTypeName } from '../../../contract/change-catalog.js';
import { LOCKS } from '../../../platform/database/lock-numbers.js';

/** A row of the log that requests cause without changing anything, written in batches instead of by each request. */
export interface GatheredChange {
  readonly type: ChangeTypeName;
  readonly actorKind: 'user' | 'anonymous';
  readonly actorId: string | null;
  readonly apiKeyId: string;
  readonly requestId: string;
  readonly address: string;
  readonly client: string | undefined;
  /** Not logged if there is no such organization. */
  readonly organizationId: string | null;
  readonly targetId: string | null;
  /** The user concerned. */
  readonly userId: string | null;
  readonly details: object;
}

/** An address from which a key has been used. */
export interface LoggedSignIn {
  readonly apiKeyId: string;
  readonly address: string | null;
}

/**
 * Writes rows of the log. Address and client of a user who is deleted meanwhile are not written: they would be
 * written after all others were erased.
 */
export async function logGathered(manager: EntityManager, changes: readonly GatheredChange[]): Promise<void> {
  if (changes.length === 0) return;
  await manager.sql`
    WITH given AS MATERIALIZED (
      SELECT uuid_v7() AS id, g.* FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS g (type text, "actorKind" text, "actorId" uuid, "apiKeyId" uuid,
        "requestId" text, address text, client text, "organizationId" uuid, "targetId" uuid, "userId" uuid, details jsonb)
    ), present AS MATERIALIZED (
      SELECT u.id FROM users u WHERE u.id IN (SELECT coalesce("actorId", "userId") FROM given) ORDER BY u.id FOR KEY SHARE
    ), logged AS (
      INSERT INTO change_log (id, type, actor_kind, actor_id, api_key_id, request_id, organization_id, target_id, user_id, details)
      SELECT g.id, g.type, g."actorKind", g."actorId", g."apiKeyId", g."requestId", o.id, g."targetId", g."userId", g.details
      FROM given g LEFT JOIN organizations o ON o.id = g."organizationId" AND o.deleted_at IS NULL
      RETURNING at, id
    )
    INSERT INTO personal_details (at, change_id, kind, user_id, value, salt, commitment)
    SELECT at, id, kind, user_id, value, salt, sha256(convert_to(salt || value, 'UTF8'))
    FROM (SELECT l.at, l.id, p.id AS user_id, detail.kind, detail.value, gen_random_uuid()::text AS salt
          FROM logged l JOIN given g ON g.id = l.id JOIN present p ON p.id = coalesce(g."actorId", g."userId")
          CROSS JOIN LATERAL (VALUES ('address', g.address), ('client', g.client)) AS detail (kind, value)
          WHERE detail.value <> '') AS known`;
}

/** Lets no other process write sign-ins until the transaction ends. */
export async function lockSignIns(manager: EntityManager): Promise<void> {
  await manager.sql`SELECT pg_advisory_xact_lock(${LOCKS.signIns}::bigint)`;
}

/** The sign-ins that succeeded since then with these keys, at most `limit` of each. */
export async function findSignIns(
  manager: EntityManager,
  { apiKeyIds, since, limit }: { apiKeyIds: readonly string[]; since: Date; limit: number },
): Promise<LoggedSignIn[]> {
  return manager.sql`
    SELECT k.id AS "apiKeyId", recent.value AS address FROM unnest(${apiKeyIds}::uuid[]) AS k (id)
    CROSS JOIN LATERAL (
      SELECT d.value FROM change_log c
      LEFT JOIN personal_details d ON d.at = c.at AND d.change_id = c.id AND d.kind = 'address'
      WHERE c.type = 'sign_in.succeeded' AND c.api_key_id = k.id AND c.at > ${since}
      LIMIT ${limit}::int) AS recent`;
}
