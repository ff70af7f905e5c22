import { IsNull, MoreThan, DataSource, type EntityManager } from 'typeorm';
import { conflict, DomainError } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { RepeatableDecision } from '../../platform/idempotency/repeatable-decision.js';
import { isUuid } from '../../platform/ids.js';
import {
  isLimited,
  keyRefusal,
  knows,
  limitsOf,
  WITHOUT_KEY,
  type AskingKey,
} from '../../policy/api-keys.js';
import type { ChangedBy, Caller } from '../../policy/caller.js';
import { findKeys } from './api-keys.queries.js';
import { ApiKey, IS_API_KEY } from './entities/api-key.entity.js';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ReplyChecks } from '../../platform/idempotency/reply-checks.service.js';
import { MAKING, requireNoBroader } from './api-key-limits.js';

interface KeyId {
  readonly userId: string;
  readonly id: string;
}

/**
 * Returns the key that makes a change. It may have been narrowed or revoked since the request began, so it is read
 * again.
 */
export async function readOwnKey(
  manager: EntityManager,
  { apiKey }: ChangedBy,
  now: Date,
): Promise<AskingKey> {
  if (!apiKey) return WITHOUT_KEY;
  const found = await manager.getRepository(ApiKey).findOneBy({ id: apiKey.id });
  const refusal = found ? keyRefusal(found, now) : 'INVALID_API_KEY';
  if (!found || refusal !== null) throw new DomainError(refusal ?? 'INVALID_API_KEY');
  return { ...limitsOf(found), id: found.id, provider: found.provider };
}

/** Returns those of the keys that the one that asks for them knows. */
export async function keysKnownTo(
  manager: EntityManager,
  keys: readonly ApiKey[],
  own: AskingKey,
): Promise<readonly ApiKey[]> {
  if (!isLimited(own)) return keys;
  const ids = keys.map(({ id }) => id);
  const found = await findKeys(manager, ids);
  const known = new Set(found.filter((key) => knows(own, key)).map(({ id }) => id));
  return keys.filter(({ id }) => known.has(id));
}

export const KNOWING = new RepeatableDecision<KeyId>('api key');

/** Returns a key that the one that asks for it knows. */
export async function requireKey(
  manager: EntityManager,
  { userId, id }: KeyId,
  own: AskingKey,
): Promise<ApiKey> {
  const found = isUuid(id)
    ? await manager.getRepository(ApiKey).findOneBy({ ...IS_API_KEY, id, userId })
    : null;
  const [known] = await keysKnownTo(manager, found ? [found] : [], own);
  if (!known) throw new DomainError('API_KEY_NOT_FOUND');
  KNOWING.note({ userId, id });
  return known;
}

/** The same for one that is neither revoked nor expired. */
export async function requireWorkingKey(
  manager: EntityManager,
  key: KeyId,
  own: AskingKey,
  now: Date,
): Promise<ApiKey> {
  const apiKey = await requireKey(manager, key, own);
  if (apiKey.revokedAt !== null) throw new DomainError('ALREADY_REVOKED');
  if (apiKey.expiresAt !== null && apiKey.expiresAt <= now)
    throw conflict(`The API key expired at ${apiKey.expiresAt.toISOString()}.`);
  return apiKey;
}

/** Refuses a key that is one too many, once it is stored. */
export async function requireRoom(manager: EntityManager, userId: string, now: Date): Promise<void> {
  const isWorking = { ...IS_API_KEY, userId, revokedAt: IsNull() };
  const where = [IsNull(), MoreThan(now)].map((expiresAt) => ({ ...isWorking, expiresAt }));
  const working = await manager.getRepository(ApiKey).countBy(where);
  if (working <= LIMITS.apiKeys) return;
  throw conflict(`A user can have at most ${LIMITS.apiKeys} API keys; revoke one that is no longer used.`);
}

/** Decides about keys again, before the reply to a request that was about them is repeated. */
@Injectable()
export class ApiKeyDecisionsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly replies: ReplyChecks,
  ) {}

  onModuleInit(): void {
    this.replies.decideBy(KNOWING, ({ apiKey }: Caller, key) =>
      requireKey(this.dataSource.manager, key, apiKey),
    );
    this.replies.decideBy(MAKING, ({ apiKey }: Caller, { expiresAt, lends, ...limits }) =>
      requireNoBroader({ ...limits, expiresAt: expiresAt && new Date(expiresAt) }, apiKey, lends),
    );
  }
}
