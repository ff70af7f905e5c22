import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan, type Repository } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { apiKeyMistake, newApiKey } from '../../contract/api-key-format.js';
import { conflict, DomainError } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import { isUuid, newId } from '../../platform/ids.js';
import { hashSecret } from '../../platform/secrets/secrets.js';
import { lockUser, type LockedUser } from '../users/public/users.queries.js';
import { deleteLongEndedKeys, findKeys, findUses, listApiKeys, type FoundKey } from './api-keys.queries.js';
import {
  keysKnownTo,
  readOwnKey,
  requireKey,
  requireRoom,
  requireWorkingKey,
} from './api-key-decisions.service.js';
import { readLimits, requireAcceptable, requireNarrower, requireNoBroader } from './api-key-limits.js';
import { ApiKey, type ApiKeyUse, IS_API_KEY } from './entities/api-key.entity.js';
import {
  anonymous,
  changedBy,
  type Caller,
  type ChangedBy,
  type RequestOrigin,
} from '../../policy/caller.js';
import {
  lent,
  limitsOf,
  UNLIMITED,
  WITHOUT_KEY,
  type AskingKey,
  type KeyLimits,
} from '../../policy/api-keys.js';
import { transactionBy } from '../../platform/database/transaction-by.js';
import type { CreateApiKeyDto, RotateApiKeyDto, UpdateApiKeyDto } from './public/api-key.request.dto.js';

export interface NewApiKey extends Partial<KeyLimits> {
  readonly name: string;
  /** An existing key to import; generated when absent. */
  readonly key?: string;
  readonly revoked?: boolean;
  /** The identity provider with which those who made it had signed in. */
  readonly provider?: string | null;
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

/** For whom a key is changed, and the key that changes it. */
interface KeyChange {
  readonly user: LockedUser;
  readonly own: AskingKey;
}

@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a key for a user who has fewer than the limit, which can do no more than the key that creates it. One of a
   * service account reaches only its organization. `lends`: for a user whom that key manages. `within`: here and below,
   * the transaction that this is a part of.
   */
  async create(
    userId: string,
    input: Readonly<CreateApiKeyDto>,
    by: ChangedBy,
    { within, lends = false }: { readonly within?: EntityManager; readonly lends?: boolean } = {},
  ): Promise<IssuedApiKey> {
    const change = async (manager: EntityManager, { own, user }: KeyChange): Promise<IssuedApiKey> => {
      // By default, those of the key that creates it.
      const now = this.clock.now();
      const given = lends ? lent(own) : own;
      const organizationIds = user.serviceOf === null ? given.organizationIds : [user.serviceOf];
      const usual = limitsOf({ ...given, organizationIds });
      const limits = { ...usual, ...(await readLimits(manager, userId, input, now)) };
      requireNoBroader(limits, own, lends);
      await requireAcceptable(manager, userId, limits, now);
      const { provider } = given;
      const issued = await this.issue(manager, userId, { ...limits, name: input.name, provider });
      await requireRoom(manager, userId, this.clock.now());
      return issued;
    };
    return this.change(userId, by, change, within);
  }

  /** Stores a key in the transaction of `manager`. */
  async issue(manager: EntityManager, userId: string, input: NewApiKey): Promise<IssuedApiKey> {
    const key = input.key ?? newApiKey();
    const now = this.clock.now();
    const apiKey = this.apiKeys.create({
      id: newId(),
      userId,
      name: input.name,
      prefix: key.slice(0, LIMITS.apiKeyPrefix),
      hash: hashSecret(key),
      ...limitsOf({ ...UNLIMITED, ...input }),
      createdAt: now,
      lastUsedAt: null,
      lastUsedAddress: null,
      replacedBy: null,
      revokedAt: input.revoked ? now : null,
      provider: input.provider ?? null,
    });
    await manager.getRepository(ApiKey).insert(apiKey);
    return { apiKey, key };
  }

  /** Returns all keys of the user that the key of the request knows, including revoked ones, newest first. */
  async list(userId: string, { apiKey: own }: ChangedBy): Promise<readonly ApiKey[]> {
    const { manager } = this.apiKeys;
    return keysKnownTo(manager, await listApiKeys(manager, userId), own ?? WITHOUT_KEY);
  }

  /** Returns a key of the caller, with its daily use. */
  async read(by: Caller, id: string): Promise<{ apiKey: ApiKey; uses: readonly ApiKeyUse[] }> {
    const { manager } = this.apiKeys;
    const apiKey = await requireKey(manager, { userId: by.id, id }, by.apiKey);
    return { apiKey, uses: await findUses(manager, apiKey.id, this.clock.now()) };
  }

  /** Changes the name of a key, or what it may do: never more than before. */
  async update(userId: string, id: string, input: Readonly<UpdateApiKeyDto>, by: ChangedBy): Promise<ApiKey> {
    return this.change(userId, by, async (manager, { own }) => {
      const apiKey = await requireWorkingKey(manager, { userId, id }, own, this.clock.now());
      const given = await readLimits(manager, userId, input, this.clock.now());
      requireNarrower(given, apiKey);
      const name = input.name ?? apiKey.name;
      const limits = limitsOf({ ...apiKey, ...given });
      if (given.organizationIds) await requireAcceptable(manager, userId, limits, apiKey.createdAt);
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
    input: Readonly<RotateApiKeyDto>,
    by: ChangedBy,
    within?: EntityManager,
  ): Promise<RotatedKey> {
    const now = this.clock.now();
    const change = async (manager: EntityManager, { own }: KeyChange): Promise<RotatedKey> => {
      const old = await requireWorkingKey(manager, { userId, id }, own, this.clock.now());
      if (old.replacedBy !== null)
        throw conflict(`The API key has been rotated already; ${old.replacedBy} replaces it.`);
      const limits = { ...limitsOf(old), ...(await readLimits(manager, userId, input, now)) };
      requireNoBroader(limits, own);
      await requireAcceptable(manager, userId, limits, now);
      const issued = await this.issue(manager, userId, { ...limits, name: old.name, provider: own.provider });
      const end = new Date(now.getTime() + input.overlap * 1000);
      const expiresAt = old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end;
      await manager.getRepository(ApiKey).update(old.id, { replacedBy: issued.apiKey.id, expiresAt });
      await requireRoom(manager, userId, this.clock.now());
      return { ...issued, replaced: { id: old.id, expiresAt } };
    };
    return this.change(userId, by, change, within);
  }

  /** Returns what decides whether keys still work and what they reach, as seen by the transaction of `manager`. */
  findFacts(ids: readonly string[], manager = this.apiKeys.manager): Promise<FoundKey[]> {
    return findKeys(manager, ids);
  }

  /** Returns the keys with this id or prefix, of any user; for operators. Prefixes are not unique. */
  async identify(idOrPrefix: string): Promise<ApiKey[]> {
    return this.apiKeys.findBy({
      ...(isUuid(idOrPrefix) ? { id: idOrPrefix } : { prefix: idOrPrefix }),
      ...IS_API_KEY,
    });
  }

  /** Revokes a key permanently. Of two simultaneous requests, only one succeeds. */
  async revoke(userId: string, id: string, by: ChangedBy, within?: EntityManager): Promise<void> {
    await this.transaction(by, within, async (manager) => {
      const now = this.clock.now();
      await requireKey(manager, { userId, id }, await readOwnKey(manager, by, now));
      const { affected } = await manager
        .getRepository(ApiKey)
        .update({ id, userId, revokedAt: IsNull() }, { revokedAt: now });
      if (affected === 0) throw new DomainError('ALREADY_REVOKED');
    });
  }

  async revokeOfServiceAccounts(manager: EntityManager, organizationId: string): Promise<void> {
    const ofAccounts = { user: { serviceOf: organizationId }, revokedAt: IsNull() };
    const keys = await manager.getRepository(ApiKey).find({ select: { id: true }, where: ofAccounts });
    const ids = In(keys.map(({ id }) => id));
    await manager.getRepository(ApiKey).update({ id: ids }, { revokedAt: this.clock.now() });
  }

  /** Revokes keys that somebody has found, who needs none. Returns how many worked until now. */
  async revokeLeaked(keys: readonly string[], origin: RequestOrigin): Promise<number> {
    const now = this.clock.now();
    const hashes = keys.filter((key) => apiKeyMistake(key) === null).map(hashSecret);
    if (hashes.length === 0) return 0;
    const working = { hash: In(hashes), revokedAt: IsNull() };
    const where = [IsNull(), MoreThan(now)].map((expiresAt) => ({ ...working, expiresAt }));
    const { affected } = await transactionBy(
      this.apiKeys.manager.dataSource,
      anonymous(origin),
      async (manager) => manager.getRepository(ApiKey).update(where, { revokedAt: now }),
    );
    return affected ?? 0;
  }

  /** Changes the keys of a user in a transaction, one request after the other, so that none misses what another did. */
  private change<T>(
    userId: string,
    by: ChangedBy,
    work: (manager: EntityManager, change: KeyChange) => Promise<T>,
    within?: EntityManager,
  ): Promise<T> {
    return this.transaction(by, within, async (manager) => {
      const user = await lockUser(manager, userId);
      const done = await work(manager, { user, own: await readOwnKey(manager, by, this.clock.now()) });
      await deleteLongEndedKeys(manager, userId, {
        now: this.clock.now(),
        kept: LIMITS.apiKeys,
        kind: 'key',
      });
      return done;
    });
  }

  private transaction<T>(
    by: ChangedBy,
    within: EntityManager | undefined,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return within ? work(within) : transactionBy(this.apiKeys.manager.dataSource, changedBy(by), work);
  }
}
