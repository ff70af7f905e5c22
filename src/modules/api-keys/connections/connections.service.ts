import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, MoreThan, Not, Raw, type EntityManager, type Repository } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import type { KeyScopes } from '../../../contract/scopes.js';
import { Clock } from '../../../platform/clock/clock.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { hashSecret } from '../../../platform/secrets/secrets.js';
import { keyRefusal, UNLIMITED, WITHOUT_KEY } from '../../../policy/api-keys.js';
import {
  anonymous,
  changedBy,
  type Caller,
  type ChangedBy,
  type RequestOrigin,
} from '../../../policy/caller.js';
import { lockUser } from '../../users/public/users.queries.js';
import { keysKnownTo } from '../api-key-decisions.service.js';
import { deleteLongEndedKeys, endUnusedConnections } from '../api-keys.queries.js';
import { ApiKey } from '../entities/api-key.entity.js';

/** The key of a connection that works. */
export type ConnectionRow = ApiKey & { readonly userId: string; readonly oauthClient: string };

/** What somebody lets a client do. */
interface NewConnection {
  readonly client: { readonly id: string; readonly name: string };
  readonly scopes: KeyScopes;
  /** Null: all, and what belongs to none. */
  readonly organizationIds: readonly string[] | null;
  /** Null: until it is revoked. */
  readonly expiresAt: Date | null;
}

const IS_OPEN = { oauthClient: Not(IsNull()), revokedAt: IsNull() };

/** Lets OAuth clients act for users, and ends that: rows of API keys whose key nobody has. */
@Injectable()
export class ConnectionsService {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly clock: Clock,
  ) {}

  /** Connects a client for a caller who has signed in, and returns the id. The oldest connections in excess end. */
  async connect(caller: Caller, { client, ...limits }: NewConnection): Promise<string> {
    const createdAt = this.clock.now();
    const id = newId();
    await transactionBy(this.keys.manager.dataSource, changedBy(caller), async (manager) => {
      await lockUser(manager, caller.id);
      await endUnusedConnections(manager, caller.id, createdAt);
      const keys = manager.getRepository(ApiKey);
      await keys.insert({
        ...UNLIMITED,
        ...limits,
        id,
        userId: caller.id,
        name: client.name,
        prefix: 'oauth',
        hash: hashSecret(randomBytes(32).toString('hex')),
        createdAt,
        oauthClient: client.id,
        // Organizations may demand one.
        provider: caller.session?.provider ?? null,
      });
      const open = await keys.find({
        select: { id: true },
        where: this.isWorking(caller.id),
        order: { createdAt: 'DESC', id: 'DESC' },
        skip: LIMITS.connections,
      });
      if (open.length > 0) await this.endWhere(manager, { id: In(open.map((one) => one.id)) });
      const kept = LIMITS.connections;
      await deleteLongEndedKeys(manager, caller.id, { now: createdAt, kept, kind: 'connection' });
    });
    return id;
  }

  /** Returns a connection that works, of any user. */
  async find(id: string): Promise<ConnectionRow | null> {
    const found = isUuid(id) ? await this.keys.findOneBy({ ...IS_OPEN, id }) : null;
    return found && keyRefusal(found, this.clock.now()) === null ? (found as ConnectionRow) : null;
  }

  /** Returns the connections of the caller that work, newest first; to a key that is limited, those limited as much. */
  async list({ id: userId, apiKey }: ChangedBy): Promise<readonly ConnectionRow[]> {
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    const found = await this.keys.find({ where: this.isWorking(userId ?? ''), order });
    return (await keysKnownTo(this.keys.manager, found, apiKey ?? WITHOUT_KEY)) as readonly ConnectionRow[];
  }

  /** Revokes a connection of the caller. 404 `NOT_FOUND`. */
  async revoke(by: ChangedBy, id: string): Promise<void> {
    const known = (await this.list(by)).find((one) => one.id === id.toLowerCase());
    const ended = known
      ? await transactionBy(this.keys.manager.dataSource, changedBy(by), (manager) =>
          this.endWhere(manager, { id: known.id }),
        )
      : 0;
    if (ended === 0) throw new DomainError('NOT_FOUND', 'Connection not found.');
  }

  /** Ends a connection for its client, which gave it back, or of which a token was stolen. */
  async endByClient(id: string, origin: RequestOrigin): Promise<void> {
    await transactionBy(this.keys.manager.dataSource, anonymous(origin), (manager) =>
      this.endWhere(manager, { id }),
    );
  }

  private isWorking(userId: string) {
    const now = this.clock.now();
    // Without a token, its client cannot use it any more.
    const id = Raw(
      (name) => `${name} IN (SELECT connection_id FROM oauth_artifacts WHERE expires_at > :now)`,
      { now },
    );
    return [IsNull(), MoreThan(now)].map((expiresAt) => ({ ...IS_OPEN, id, userId, expiresAt }));
  }

  private async endWhere(
    manager: EntityManager,
    where: Parameters<Repository<ApiKey>['findBy']>[0] & object,
  ): Promise<number> {
    const revokedAt = this.clock.now();
    const { affected } = await manager.getRepository(ApiKey).update({ ...where, ...IS_OPEN }, { revokedAt });
    return affected ?? 0;
  }
}
