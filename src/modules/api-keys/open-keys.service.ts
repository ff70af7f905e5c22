import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, type EntityManager, type FindOptionsWhere, type Repository } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { Clock } from '../../platform/clock/clock.js';
import { transactionBy, type ChangeSource } from '../../platform/database/transaction-by.js';
import { WITHOUT_KEY } from '../../policy/api-keys.js';
import { changedBy, type ChangedBy } from '../../policy/caller.js';
import { lockUser } from '../users/public/users.queries.js';
import { keysKnownTo } from './api-key-decisions.service.js';
import { deleteLongEndedKeys } from './api-keys.queries.js';
import { ApiKey } from './entities/api-key.entity.js';

const NEWEST_FIRST = { createdAt: 'DESC', id: 'DESC' } as const;

/** Lists and ends rows of API keys of a kind whose key is not shown to users. */
@Injectable()
export abstract class OpenKeysService<Row extends ApiKey> {
  protected abstract readonly kind: 'session' | 'connection';
  /** How many a user can have; the oldest in excess end. */
  protected abstract readonly most: number;
  protected abstract readonly isOfKind: FindOptionsWhere<ApiKey>;

  constructor(
    @InjectRepository(ApiKey) protected readonly keys: Repository<ApiKey>,
    protected readonly clock: Clock,
  ) {}

  /** Returns those of the caller that work, newest first; to a key that is limited, those limited as much. */
  async list({ id: userId, apiKey }: ChangedBy): Promise<readonly Row[]> {
    const found = await this.keys.find({ where: this.working(userId ?? ''), order: NEWEST_FIRST });
    return (await keysKnownTo(this.keys.manager, found, apiKey ?? WITHOUT_KEY)) as readonly Row[];
  }

  /** Ends one of the caller. 404 `NOT_FOUND`. */
  async end(by: ChangedBy, id: string): Promise<void> {
    const known = (await this.list(by)).some((one) => one.id === id.toLowerCase());
    if (known && (await this.endBy(changedBy(by), { id })) > 0) return;
    throw new DomainError('NOT_FOUND', `${this.kind === 'session' ? 'Session' : 'Connection'} not found.`);
  }

  /** What finds those of a user that work. */
  protected abstract working(userId: string): FindOptionsWhere<ApiKey> | FindOptionsWhere<ApiKey>[];

  /** Stores one once `first` has ended others, and ends the oldest in excess. */
  protected async open(
    by: ChangeSource,
    key: Partial<ApiKey> & { readonly userId: string; readonly createdAt: Date },
    first: (manager: EntityManager) => Promise<unknown>,
  ): Promise<void> {
    const { userId, createdAt: now } = key;
    await transactionBy(this.keys.manager.dataSource, by, async (manager) => {
      await lockUser(manager, userId);
      await first(manager);
      const keys = manager.getRepository(ApiKey);
      await keys.insert(key);
      const excess = await keys.find({
        select: { id: true },
        where: this.working(userId),
        order: NEWEST_FIRST,
        skip: this.most,
      });
      if (excess.length > 0) await this.endWhere(manager, { id: In(excess.map(({ id }) => id)) });
      await deleteLongEndedKeys(manager, userId, { now, kept: this.most, kind: this.kind });
    });
  }

  protected endBy(by: ChangeSource, where: FindOptionsWhere<ApiKey>): Promise<number> {
    return transactionBy(this.keys.manager.dataSource, by, (manager) => this.endWhere(manager, where));
  }

  /** Returns how many it has ended. */
  protected async endWhere(manager: EntityManager, where: FindOptionsWhere<ApiKey>): Promise<number> {
    const open = { ...where, ...this.isOfKind, revokedAt: IsNull() };
    const { affected } = await manager.getRepository(ApiKey).update(open, { revokedAt: this.clock.now() });
    return affected ?? 0;
  }
}
