import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type EntityManager, IsNull, MoreThan, type Repository } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { DomainError } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { isUuid, newId } from '../../platform/ids.js';
import { hashSecret, randomBase62 } from '../../platform/secrets/secrets.js';
import { parseTimestamp } from '../../platform/clock/timestamps.js';
import { lockUser } from '../users/public/users.queries.js';
import { deleteLongEndedKeys, listApiKeys } from './api-keys.queries.js';
import { ApiKey } from './entities/api-key.entity.js';
import { changedBy, type ChangedBy } from '../../policy/caller.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

const PREFIX_LENGTH = 12;

export interface NewApiKey {
  readonly name: string;
  readonly expiresAt?: Date | null;
  /** An existing key to import; generated when absent. */
  readonly key?: string;
  readonly revoked?: boolean;
}

/** An API key together with its secret, which is known only when it is created. */
export interface IssuedApiKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>,
    private readonly clock: Clock,
  ) {}

  /** Creates a key for a user who has fewer than the limit; `expiresAt` must be an ISO 8601 time in the future. */
  async create(
    userId: string,
    input: { name: string; expiresAt?: string },
    by: ChangedBy,
  ): Promise<IssuedApiKey> {
    const expiresAt = input.expiresAt === undefined ? null : this.futureTime(input.expiresAt);
    return transactionBy(this.apiKeys.manager.dataSource, changedBy(by), async (manager) => {
      // Simultaneous requests of the user wait here, so that none misses the key of another.
      await lockUser(manager, userId);
      await this.requireRoom(manager, userId);
      const issued = await this.issue(manager, userId, { name: input.name, expiresAt });
      await deleteLongEndedKeys(manager, userId, { now: this.clock.now(), kept: LIMITS.apiKeys });
      return issued;
    });
  }

  /** Returns a random key, which `issue` can store. */
  newKey(): string {
    return `mrs_${randomBase62()}`;
  }

  /** Stores a key in the transaction of `manager`. */
  async issue(manager: EntityManager, userId: string, input: NewApiKey): Promise<IssuedApiKey> {
    const key = input.key ?? this.newKey();
    const now = this.clock.now();
    const apiKey = this.apiKeys.create({
      id: newId(),
      userId,
      name: input.name,
      prefix: key.slice(0, PREFIX_LENGTH),
      hash: hashSecret(key),
      createdAt: now,
      expiresAt: input.expiresAt ?? null,
      lastUsedAt: null,
      revokedAt: input.revoked ? now : null,
    });
    await manager.getRepository(ApiKey).insert(apiKey);
    return { apiKey, key };
  }

  /** Returns all keys of the user, including revoked ones, newest first. */
  async list(userId: string): Promise<ApiKey[]> {
    return listApiKeys(this.apiKeys.manager, userId);
  }

  /** Returns what decides whether keys still work. */
  async findFacts(
    ids: readonly string[],
  ): Promise<Pick<ApiKey, 'id' | 'userId' | 'expiresAt' | 'revokedAt'>[]> {
    const select = { id: true, userId: true, expiresAt: true, revokedAt: true } as const;
    return this.apiKeys.find({ select, where: { id: Any(ids) } });
  }

  /** Returns the keys with this id or prefix, of any user; for operators. Prefixes are not unique. */
  async identify(idOrPrefix: string): Promise<ApiKey[]> {
    return this.apiKeys.findBy(isUuid(idOrPrefix) ? { id: idOrPrefix } : { prefix: idOrPrefix });
  }

  /** Revokes a key permanently. Of two simultaneous requests, only one succeeds. */
  async revoke(userId: string, id: string, by: ChangedBy): Promise<void> {
    const exists = isUuid(id) && (await this.apiKeys.existsBy({ id, userId }));
    if (!exists) throw new DomainError('API_KEY_NOT_FOUND');
    const { affected } = await transactionBy(this.apiKeys.manager.dataSource, changedBy(by), (manager) =>
      manager
        .getRepository(ApiKey)
        .update({ id, userId, revokedAt: IsNull() }, { revokedAt: this.clock.now() }),
    );
    if (affected === 0) throw new DomainError('ALREADY_REVOKED');
  }

  private async requireRoom(manager: EntityManager, userId: string): Promise<void> {
    const isWorking = { userId, revokedAt: IsNull() };
    const working = await manager.getRepository(ApiKey).countBy([
      { ...isWorking, expiresAt: IsNull() },
      { ...isWorking, expiresAt: MoreThan(this.clock.now()) },
    ]);
    if (working < LIMITS.apiKeys) return;
    throw new DomainError(
      'CONFLICT',
      `A user can have at most ${LIMITS.apiKeys} API keys; revoke one that is no longer used.`,
    );
  }

  private futureTime(text: string): Date {
    const date = parseTimestamp(text)?.date;
    if (!date || date <= this.clock.now()) {
      throw new DomainError('VALIDATION_ERROR', 'expires_at: must be an ISO 8601 time in the future');
    }
    return date;
  }
}
