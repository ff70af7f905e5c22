import type { EntityManager } from 'typeorm';
import { ApiKey } from './entities/api-key.entity.js';

/** Returns all keys of the user, including revoked ones, newest first. */
export async function listApiKeys(manager: EntityManager, userId: string): Promise<ApiKey[]> {
  const order = { createdAt: 'DESC', id: 'DESC' } as const;
  return manager.getRepository(ApiKey).find({ where: { userId }, order });
}

/** Writes when keys were last used; another process may have seen a later use. */
export async function writeLastUses(manager: EntityManager, used: ReadonlyMap<string, Date>): Promise<void> {
  await manager.sql`
    UPDATE api_keys k SET last_used_at = GREATEST(k.last_used_at, used.at)
    FROM unnest(${[...used.keys()]}::uuid[], ${[...used.values()]}::timestamptz[]) AS used (id, at) WHERE k.id = used.id`;
}

/** Deletes the keys of a user that have ended, except the `kept` that ended last. `LEAST` ignores nulls. */
export async function deleteLongEndedKeys(
  manager: EntityManager,
  userId: string,
  { now, kept }: { readonly now: Date; readonly kept: number },
): Promise<void> {
  await manager.sql`
    DELETE FROM api_keys WHERE id IN (
      SELECT id FROM api_keys WHERE user_id = ${userId}::uuid AND LEAST(revoked_at, expires_at) <= ${now}::timestamptz
      ORDER BY LEAST(revoked_at, expires_at) DESC, id DESC OFFSET ${kept}::int)`;
}
