import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type EntityManager, In, IsNull, MoreThan, type Repository } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { apiKeyMistake, newApiKey } from '../../contract/api-key-format.js';
import { DomainError } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { isUuid, newId } from '../../platform/ids.js';
import { hashSecret } from '../../platform/secrets/secrets.js';
import { lockUser } from '../users/public/users.queries.js';
import { deleteLongEndedKeys, findUses, listApiKeys } from './api-keys.queries.js';
import { readLimits, requireNarrower, requireWithin, type GivenLimits } from './api-key-limits.js';
import { ApiKey } from './entities/api-key.entity.js';
import type { ApiKeyUse } from './entities/api-key-use.entity.js';
import { anonymous, changedBy, type ChangedBy, type RequestOrigin } from '../../policy/caller.js';
import { keyRefusal, limitsOf, UNLIMITED, type KeyLimits } from '../../policy/api-keys.js';
import { transactionBy } from '../../platform/database/transaction-by.js';

const PREFIX_LENGTH = 12;

export interface NewApiKey extends Partial<KeyLimits> {
  readonly name: string;
  /** An existing key to import; generated when absent. */
  readonly key?: string;
  readonly revoked?: boolean;
}

/** An API key together with its secret, which is known only when it is created. */
export interface IssuedApiKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/** A key that replaces another, which expires. */
export interface RotatedKey extends IssuedApiKey {
  readonly replaced: { readonly id: string; readonly expiresAt: Date };
}

@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>,
    private readonly clock: Clock,
  ) {}

  /** Creates a key for a user who has fewer than the limit, which can do no more than the key that creates it. */
  async create(
    userId: string,
    input: { readonly name: string } & GivenLimits,
    by: ChangedBy,
  ): Promise<IssuedApiKey> {
    return this.change(userId, by, async (manager, own) => {
      // By default, those of the key that creates it.
      const limits = { ...own, ...(await readLimits(manager, userId, input, this.clock.now())) };
      requireWithin(limits, own);
      const issued = await this.issue(manager, userId, { ...limits, name: input.name });
      await this.requireRoom(manager, userId);
      return issued;
    });
  }

  /** Stores a key in the transaction of `manager`. */
  async issue(manager: EntityManager, userId: string, input: NewApiKey): Promise<IssuedApiKey> {
    const key = input.key ?? newApiKey();
    const now = this.clock.now();
    const apiKey = this.apiKeys.create({
      id: newId(),
      userId,
      name: input.name,
      prefix: key.slice(0, PREFIX_LENGTH),
      hash: hashSecret(key),
      ...stored({ ...UNLIMITED, ...input }),
      createdAt: now,
      lastUsedAt: null,
      lastUsedAddress: null,
      replacedBy: null,
      revokedAt: input.revoked ? now : null,
    });
    await manager.getRepository(ApiKey).insert(apiKey);
    return { apiKey, key };
  }

  /** Returns all keys of the user, including revoked ones, newest first. */
  async list(userId: string): Promise<ApiKey[]> {
    return listApiKeys(this.apiKeys.manager, userId);
  }

  /** Returns a key of the user, with its daily use. */
  async read(userId: string, id: string): Promise<{ apiKey: ApiKey; uses: readonly ApiKeyUse[] }> {
    const { manager } = this.apiKeys;
    const apiKey = await this.require(manager, userId, id);
    return { apiKey, uses: await findUses(manager, apiKey.id, this.clock.now()) };
  }

  /** Changes the name of a key, or what it may do: never more than before. */
  async update(
    userId: string,
    id: string,
    input: { readonly name?: string } & GivenLimits,
    by: ChangedBy,
  ): Promise<ApiKey> {
    return this.change(userId, by, async (manager) => {
      const apiKey = await this.requireWorking(manager, userId, id);
      const given = await readLimits(manager, userId, input, this.clock.now());
      requireNarrower(given, apiKey);
      const name = input.name ?? apiKey.name;
      const limits = stored({ ...apiKey, ...given });
      return manager.getRepository(ApiKey).save(Object.assign(apiKey, { name, ...limits }));
    });
  }

  /**
   * Creates a key with the name and the scopes of another, which then expires after `overlap` seconds. Works once for
   * each key.
   */
  async rotate(
    userId: string,
    id: string,
    input: { readonly overlap: number } & Pick<GivenLimits, 'expiresAt' | 'expiresIn'>,
    by: ChangedBy,
  ): Promise<RotatedKey> {
    const now = this.clock.now();
    return this.change(userId, by, async (manager, own) => {
      const old = await this.requireWorking(manager, userId, id);
      if (old.replacedBy !== null)
        throw new DomainError(
          'CONFLICT',
          `The API key has been rotated already; ${old.replacedBy} replaces it.`,
        );
      const limits = { ...limitsOf(old), ...(await readLimits(manager, userId, input, now)) };
      requireWithin(limits, own);
      const issued = await this.issue(manager, userId, { ...limits, name: old.name });
      const end = new Date(now.getTime() + input.overlap * 1000);
      const expiresAt = old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end;
      await manager.getRepository(ApiKey).update(old.id, { replacedBy: issued.apiKey.id, expiresAt });
      await this.requireRoom(manager, userId);
      return { ...issued, replaced: { id: old.id, expiresAt } };
    });
  }

  /** Returns what decides whether keys still work. */
  async findFacts(
    ids: readonly string[],
  ): Promise<(Pick<ApiKey, 'id' | 'userId' | 'revokedAt'> & KeyLimits)[]> {
    return this.apiKeys.find({ where: { id: Any(ids) } });
  }

  /** Returns the keys with this id or prefix, of any user; for operators. Prefixes are not unique. */
  async identify(idOrPrefix: string): Promise<ApiKey[]> {
    return this.apiKeys.findBy(isUuid(idOrPrefix) ? { id: idOrPrefix } : { prefix: idOrPrefix });
  }

  /** Revokes a key permanently. Of two simultaneous requests, only one succeeds. */
  async revoke(userId: string, id: string, by: ChangedBy): Promise<void> {
    await this.require(this.apiKeys.manager, userId, id);
    const { affected } = await transactionBy(this.apiKeys.manager.dataSource, changedBy(by), (manager) =>
      manager
        .getRepository(ApiKey)
        .update({ id, userId, revokedAt: IsNull() }, { revokedAt: this.clock.now() }),
    );
    if (affected === 0) throw new DomainError('ALREADY_REVOKED');
  }

  /** Revokes keys that somebody has found, who needs none. Returns how many worked until now. */
  async revokeLeaked(keys: readonly string[], origin: RequestOrigin): Promise<number> {
    const now = this.clock.now();
    const hashes = keys.filter((key) => apiKeyMistake(key) === null).map(hashSecret);
    if (hashes.length === 0) return 0;
    const working = { hash: In(hashes), revokedAt: IsNull() };
    return transactionBy(this.apiKeys.manager.dataSource, anonymous(origin), async (manager) => {
      const keysOfReport = manager.getRepository(ApiKey);
      const where = [
        { ...working, expiresAt: IsNull() },
        { ...working, expiresAt: MoreThan(now) },
      ];
      const { affected } = await keysOfReport.update(where, { revokedAt: now });
      return affected ?? 0;
    });
  }

  /**
   * Changes the keys of a user in a transaction, one request after the other, so that none misses what another did. What
   * `own`: the limits of the key that makes the change.
   */
  private change<T>(
    userId: string,
    by: ChangedBy,
    work: (manager: EntityManager, own: KeyLimits) => Promise<T>,
  ): Promise<T> {
    return transactionBy(this.apiKeys.manager.dataSource, changedBy(by), async (manager) => {
      await lockUser(manager, userId);
      const done = await work(manager, await this.readOwnLimits(manager, by));
      await deleteLongEndedKeys(manager, userId, { now: this.clock.now(), kept: LIMITS.apiKeys });
      return done;
    });
  }

  /** The command line has none. A key may have been narrowed or revoked since the request began, so it is read again. */
  private async readOwnLimits(manager: EntityManager, { apiKey }: ChangedBy): Promise<KeyLimits> {
    if (!apiKey) return UNLIMITED;
    const found = await manager.getRepository(ApiKey).findOneBy({ id: apiKey.id });
    const refusal = found ? keyRefusal(found, this.clock.now()) : 'INVALID_API_KEY';
    if (!found || refusal !== null) throw new DomainError(refusal ?? 'INVALID_API_KEY');
    return limitsOf(found);
  }

  private async require(manager: EntityManager, userId: string, id: string): Promise<ApiKey> {
    const found = isUuid(id) ? await manager.getRepository(ApiKey).findOneBy({ id, userId }) : null;
    if (!found) throw new DomainError('API_KEY_NOT_FOUND');
    return found;
  }

  private async requireWorking(manager: EntityManager, userId: string, id: string): Promise<ApiKey> {
    const apiKey = await this.require(manager, userId, id);
    if (apiKey.revokedAt !== null) throw new DomainError('ALREADY_REVOKED');
    if (apiKey.expiresAt !== null && apiKey.expiresAt <= this.clock.now())
      throw new DomainError('CONFLICT', `The API key expired at ${apiKey.expiresAt.toISOString()}.`);
    return apiKey;
  }

  /** Refuses a key that is one too many, once it is stored. */
  private async requireRoom(manager: EntityManager, userId: string): Promise<void> {
    const isWorking = { userId, revokedAt: IsNull() };
    const working = await manager.getRepository(ApiKey).countBy([
      { ...isWorking, expiresAt: IsNull() },
      { ...isWorking, expiresAt: MoreThan(this.clock.now()) },
    ]);
    if (working <= LIMITS.apiKeys) return;
    throw new DomainError(
      'CONFLICT',
      `A user can have at most ${LIMITS.apiKeys} API keys; revoke one that is no longer used.`,
    );
  }
}

/** The limits as columns. */
const stored = (limits: KeyLimits) => ({
  scopes: copied(limits.scopes),
  organizationIds: copied(limits.organizationIds),
  folderIds: copied(limits.folderIds),
  addresses: copied(limits.addresses),
  expiresAt: limits.expiresAt,
});

const copied = <T>(list: readonly T[] | null): T[] | null => list && [...list];
