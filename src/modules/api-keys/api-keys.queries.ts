import { MoreThan, type EntityManager } from 'typeorm';
import { isUuid } from '../../platform/ids.js';
import { cursorPage, type CursorPage, type CursorPosition } from '../../platform/http/replies/cursor.js';
import type { KeyFacts, KeyLimits, SessionFacts } from '../../policy/api-keys.js';
import type { Reach } from '../../policy/reach.js';
import type { User } from '../users/entities/user.entity.js';
import { LIMITS } from '../../contract/limits.js';
import { ApiKey, ApiKeyUse, IS_API_KEY } from './entities/api-key.entity.js';
import { REFUSING_ORGANIZATIONS } from './public/refusing-organizations.sql.js';
import { sql } from '../../platform/database/sql.js';
import { DAY_MS } from '../../lib/durations.js';

/** Returns all keys of the user, including revoked ones, newest first. */
export async function listApiKeys(manager: EntityManager, userId: string): Promise<ApiKey[]> {
  const order = { createdAt: 'DESC', id: 'DESC' } as const;
  return manager.getRepository(ApiKey).find({ where: { ...IS_API_KEY, userId }, order });
}

export interface UnusedKeyPage {
  /** Of all users if absent. */
  readonly userId?: string;
  readonly since: Date;
  readonly now: Date;
  readonly limit: number;
  readonly after?: CursorPosition;
}

export type KeyWithUser = ApiKey & { readonly user: User };

/**
 * Returns a page of the keys that work and have not been used since a time, nor been created, newest first, with their
 * users.
 */
export async function listUnusedApiKeys(
  manager: EntityManager,
  { userId, since, now, limit, after }: UnusedKeyPage,
): Promise<CursorPage<KeyWithUser>> {
  const query = manager
    .getRepository(ApiKey)
    .createQueryBuilder('k')
    .innerJoinAndSelect('k.user', 'u')
    .where(IS_API_KEY)
    .andWhere('k.revokedAt IS NULL AND (k.expiresAt IS NULL OR k.expiresAt > :now)', {
      now,
    })
    .andWhere('GREATEST(k.lastUsedAt, k.createdAt) < :since', { since })
    .orderBy({ 'k.createdAt': 'DESC', 'k.id': 'DESC' })
    .limit(limit + 1);
  if (userId !== undefined) query.andWhere('k.userId = :userId', { userId });
  if (after) query.andWhere('(k.createdAt, k.id) < (:createdAt, :id)', after);
  return cursorPage((await query.getMany()) as KeyWithUser[], limit, (key) => key);
}

/** Returns the requests with a key on each of the last days, newest first. */
export async function findUses(manager: EntityManager, apiKeyId: string, now: Date): Promise<ApiKeyUse[]> {
  const where = { apiKeyId, day: MoreThan(dayBefore(now, LIMITS.apiKeyUseDays)) };
  return manager.getRepository(ApiKeyUse).find({ where, order: { day: 'DESC' } });
}

const dayBefore = (now: Date, days: number): string =>
  new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);

/** What decides whether a key works, and what it reaches. */
export interface FoundKey extends KeyFacts, SessionFacts, KeyLimits, Reach {
  readonly expiresAt: Date | null;
  readonly id: string;
}

export async function findKeys(manager: EntityManager, ids: readonly string[]): Promise<FoundKey[]> {
  return sql(manager)`
    SELECT k.id, k.user_id AS "userId", k.revoked_at AS "revokedAt", k.expires_at AS "expiresAt", k.scopes, k.addresses, k.signed_in_by AS "signedInBy", k.oauth_client AS "oauthClient",
      k.organization_ids AS "organizationIds", k.folder_ids AS "folderIds", ${() => REFUSING_ORGANIZATIONS} AS "refusedBy"
    FROM api_keys k WHERE k.id = ANY (${ids}::uuid[])`;
}

/** Returns those of the organizations that the user is a member of, with the days for which keys may work; null: any. */
export async function findOrganizationsOf(
  manager: EntityManager,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const rows = await sql(manager)<{ id: string; maxDays: number | null }>`
    SELECT m.organization_id AS id, o.api_key_max_days AS "maxDays"
    FROM organization_members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = ${userId}::uuid AND m.organization_id = ANY (${ids.filter(isUuid)}::uuid[])`;
  return new Map(rows.map(({ id, maxDays }) => [id, maxDays]));
}

/** Requests with an API key on one day that a process has not written yet. */
export interface UsesOfKey {
  readonly apiKeyId: string;
  /** The latest. */
  readonly at: Date;
  /** Of the latest. */
  readonly address: string | null;
  readonly requests: number;
}

/** Adds the uses of keys, which extend sessions; another process may have seen a later one. A deleted key has none. */
export async function writeUses(
  manager: EntityManager,
  uses: readonly UsesOfKey[],
  now: Date,
): Promise<void> {
  await sql(manager)`
    WITH used AS (
      SELECT * FROM unnest(${uses.map(({ apiKeyId }) => apiKeyId)}::uuid[], ${uses.map(({ at }) => at)}::timestamptz[],
        ${uses.map(({ address }) => address)}::text[], ${uses.map(({ requests }) => requests)}::bigint[])
        AS used (id, at, address, requests)
    ), latest AS (
      SELECT DISTINCT ON (id) id, at, address FROM used ORDER BY id, at DESC
    ), noted AS (
      UPDATE api_keys k SET last_used_at = GREATEST(k.last_used_at, latest.at),
        last_used_address = CASE WHEN k.last_used_at > latest.at THEN k.last_used_address ELSE latest.address END,
        expires_at = CASE WHEN k.signed_in_by IS NULL THEN k.expires_at ELSE GREATEST(k.expires_at, LEAST(
          latest.at + ${LIMITS.session.idleHours} * interval '1 hour', k.created_at + ${LIMITS.session.days} * interval '24 hours')) END
      FROM latest WHERE latest.id = k.id AND k.user_id IS NOT NULL RETURNING k.id
    ), forgotten AS (
      DELETE FROM api_key_uses u USING noted
      WHERE u.api_key_id = noted.id AND u.day <= ${dayBefore(now, LIMITS.apiKeyUseDays)}::date
    )
    INSERT INTO api_key_uses AS u (api_key_id, day, requests)
    SELECT used.id, (used.at AT TIME ZONE 'UTC')::date, used.requests FROM used JOIN noted USING (id)
    ON CONFLICT (api_key_id, day) DO UPDATE SET requests = u.requests + EXCLUDED.requests`;
}

/** Ends the connections of a user of which no token is left, so that their client cannot use them again. */
export async function endUnusedConnections(manager: EntityManager, userId: string, now: Date): Promise<void> {
  await sql(manager)`
    UPDATE api_keys k SET revoked_at = ${now}::timestamptz
    WHERE k.user_id = ${userId}::uuid AND k.oauth_client IS NOT NULL AND k.revoked_at IS NULL
      -- Its client has not had the time to fetch one.
      AND k.created_at < ${now}::timestamptz - interval '1 minute'
      AND NOT EXISTS (SELECT FROM oauth_artifacts a WHERE a.connection_id = k.id AND a.expires_at > ${now}::timestamptz)`;
}

const IS_KIND = {
  key: 'signed_in_by IS NULL AND oauth_client IS NULL',
  session: 'signed_in_by IS NOT NULL',
  connection: 'oauth_client IS NOT NULL',
};

/** Deletes the keys, sessions or connections of a user that have ended, except the `kept` that ended last. `LEAST` ignores nulls. */
export async function deleteLongEndedKeys(
  manager: EntityManager,
  userId: string,
  { now, kept, kind }: { readonly now: Date; readonly kept: number; readonly kind: keyof typeof IS_KIND },
): Promise<void> {
  await sql(manager)`
    DELETE FROM api_keys WHERE id IN (
      SELECT id FROM api_keys WHERE user_id = ${userId}::uuid AND ${() => IS_KIND[kind]} AND LEAST(revoked_at, expires_at) <= ${now}::timestamptz
      ORDER BY LEAST(revoked_at, expires_at) DESC, id DESC OFFSET ${kept}::int)`;
}
