import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan, Not, type Repository } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { Clock } from '../../../platform/clock/clock.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { isUuid, newId } from '../../../platform/ids.js';
import { hashSecret, randomBase62 } from '../../../platform/secrets/secrets.js';
import { UNLIMITED, WITHOUT_KEY } from '../../../policy/api-keys.js';
import { anonymous, changedBy, type ChangedBy, type RequestOrigin } from '../../../policy/caller.js';
import { latestEnd, sessionEnd, type WayIn } from '../../../policy/sessions.js';
import { lockUser } from '../../users/public/users.queries.js';
import { keysKnownTo } from '../api-key-decisions.service.js';
import { deleteLongEndedKeys } from '../api-keys.queries.js';
import { ApiKey } from '../entities/api-key.entity.js';

/** What a session is shown as in place of the first characters of a key. */
const PREFIX = 'session';

/** Who signed in, and how. */
export interface SignedIn {
  readonly userId: string;
  readonly way: WayIn;
  readonly provider?: string;
  /** The provider's own id of the session, if it has one. */
  readonly providerSession?: string | undefined;
}

/** A row of API keys that is a session. */
export type SessionRow = ApiKey & {
  readonly signedInBy: WayIn;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
};

/** A session together with its token, which is known only when it begins. */
export interface BegunSession {
  readonly token: string;
  /** When it ends at the latest. */
  readonly endsAt: Date;
}

const IS_OPEN = { signedInBy: Not(IsNull()), revokedAt: IsNull() };

/** Begins and ends sessions: rows of API keys without limits, whose keys are tokens in cookies. */
@Injectable()
export class SessionsService {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>,
    private readonly clock: Clock,
  ) {}

  /** Begins a session. `replaced`: the token of the one that the browser had, which ends. */
  async begin(
    { userId, way, provider, providerSession }: SignedIn,
    origin: RequestOrigin,
    replaced?: string,
  ): Promise<BegunSession> {
    const token = randomBase62();
    const now = this.clock.now();
    const session = Object.assign(new ApiKey(), {
      ...UNLIMITED,
      id: newId(),
      userId,
      name: '',
      prefix: PREFIX,
      hash: hashSecret(token),
      createdAt: now,
      expiresAt: sessionEnd(now, now),
      lastUsedAt: now,
      lastUsedAddress: origin.address,
      replacedBy: null,
      revokedAt: null,
      signedInBy: way,
      provider: provider ?? null,
      providerSession: providerSession ?? null,
      client: origin.client ?? null,
      oauthClient: null,
    });
    const by = { ...changedBy({ id: userId, request: origin }), apiKeyId: session.id };
    await transactionBy(this.keys.manager.dataSource, by, async (manager) => {
      await lockUser(manager, userId);
      const keys = manager.getRepository(ApiKey);
      if (replaced) await this.endWhere(manager, { hash: hashSecret(replaced) });
      await keys.insert(session);
      const open = { ...IS_OPEN, userId, expiresAt: MoreThan(now) };
      const order = { createdAt: 'DESC', id: 'DESC' } as const;
      const excess = await keys.find({ select: { id: true }, where: open, order, skip: LIMITS.sessions });
      if (excess.length > 0) await this.endWhere(manager, { id: In(excess.map(({ id }) => id)) });
      await deleteLongEndedKeys(manager, userId, { now, kept: LIMITS.sessions, kind: 'session' });
    });
    return { token, endsAt: latestEnd(now) };
  }

  /** Returns the open sessions of the caller, newest first; none to a key that is limited. */
  async list({ id: userId, apiKey }: ChangedBy): Promise<readonly SessionRow[]> {
    const { manager } = this.keys;
    const where = { ...IS_OPEN, userId: userId ?? '', expiresAt: MoreThan(this.clock.now()) };
    const found = await this.keys.find({ where, order: { createdAt: 'DESC', id: 'DESC' } });
    return (await keysKnownTo(manager, found, apiKey ?? WITHOUT_KEY)) as readonly SessionRow[];
  }

  /** Ends a session of the caller. 404 `NOT_FOUND`. */
  async end(by: ChangedBy, id: string): Promise<void> {
    const known = isUuid(id) && (await this.list(by)).some((one) => one.id === id.toLowerCase());
    const ended = known ? await this.endBy(by, { id }) : 0;
    if (ended === 0) throw new DomainError('NOT_FOUND', 'Session not found.');
  }

  /** Ends all sessions of the caller that they know. */
  async endAll(by: ChangedBy): Promise<void> {
    const ids = (await this.list(by)).map(({ id }) => id);
    if (ids.length > 0) await this.endBy(by, { id: In(ids) });
  }

  /** Ends sessions that a provider began: those of a user, or the one that it names. */
  async endOfProvider(
    origin: RequestOrigin,
    of: { readonly provider: string } & ({ readonly userId: string } | { readonly providerSession: string }),
  ): Promise<void> {
    await transactionBy(this.keys.manager.dataSource, anonymous(origin), (manager) =>
      this.endWhere(manager, of),
    );
  }

  /** Ends all sessions of a user in the transaction of `manager`. */
  async endWithin(manager: EntityManager, userId: string): Promise<void> {
    await this.endWhere(manager, { userId });
  }

  private endBy(by: ChangedBy, where: Parameters<SessionsService['endWhere']>[1]): Promise<number> {
    return transactionBy(this.keys.manager.dataSource, changedBy(by), (manager) =>
      this.endWhere(manager, where),
    );
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
