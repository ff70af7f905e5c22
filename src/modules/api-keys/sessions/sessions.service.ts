import { Injectable } from '@nestjs/common';
import { type EntityManager, In, IsNull, MoreThan, Not } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { newId } from '../../../platform/ids.js';
import { hashSecret, randomBase62 } from '../../../platform/secrets/secrets.js';
import { UNLIMITED } from '../../../policy/api-keys.js';
import { anonymous, changedBy, type ChangedBy, type RequestOrigin } from '../../../policy/caller.js';
import { latestEnd, sessionEnd, type WayIn } from '../../../policy/sessions.js';
import type { ApiKey } from '../entities/api-key.entity.js';
import { OpenKeysService } from '../open-keys.service.js';

/** Who signed in, and how. */
export interface SignedIn {
  readonly userId: string;
  readonly way: WayIn;
  readonly provider?: string | null;
  /** The provider's own id of the session, if it has one. */
  readonly providerSession?: string | null | undefined;
}

/** A row of API keys that is a session. */
export type SessionRow = ApiKey & {
  readonly signedInBy: WayIn;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
};

/** Begins and ends sessions: rows of API keys without limits, whose keys are tokens in cookies. */
@Injectable()
export class SessionsService extends OpenKeysService<SessionRow> {
  protected readonly kind = 'session';
  protected readonly most = LIMITS.sessions;
  protected readonly isOfKind = { signedInBy: Not(IsNull()) };

  /**
   * Begins a session, and returns its token, and when it ends at the latest. `replaced`: the token of the one that the
   * browser had, which ends.
   */
  async begin(
    { userId, way, provider = null, providerSession = null }: SignedIn,
    origin: RequestOrigin,
    replaced?: string,
  ): Promise<{ readonly token: string; readonly endsAt: Date }> {
    const token = randomBase62();
    const now = this.clock.now();
    const session = {
      ...UNLIMITED,
      id: newId(),
      userId,
      name: '',
      prefix: this.kind,
      hash: hashSecret(token),
      createdAt: now,
      expiresAt: sessionEnd(now, now),
      lastUsedAt: now,
      lastUsedAddress: origin.address,
      signedInBy: way,
      provider,
      providerSession,
      client: origin.client ?? null,
    };
    const by = { ...changedBy({ id: userId, request: origin }), apiKeyId: session.id };
    await this.open(by, session, async (manager) => {
      if (replaced) await this.endWhere(manager, { hash: hashSecret(replaced) });
    });
    return { token, endsAt: latestEnd(now) };
  }

  /** Ends all sessions of the caller that they know. */
  async endAll(by: ChangedBy): Promise<void> {
    const ids = (await this.list(by)).map(({ id }) => id);
    if (ids.length > 0) await this.endBy(changedBy(by), { id: In(ids) });
  }

  /** Ends sessions that a provider began: those of a user, or the one that it names. */
  async endOfProvider(
    origin: RequestOrigin,
    of: { readonly provider: string } & ({ readonly userId: string } | { readonly providerSession: string }),
  ): Promise<void> {
    await this.endBy(anonymous(origin), of);
  }

  /** Ends all sessions of a user in the transaction of `manager`. */
  async endWithin(manager: EntityManager, userId: string): Promise<void> {
    await this.endWhere(manager, { userId });
  }

  protected working(userId: string) {
    return { ...this.isOfKind, userId, revokedAt: IsNull(), expiresAt: MoreThan(this.clock.now()) };
  }
}
