import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { bearerToken } from '../../platform/http/requests/bearer-token.js';
import { DomainError } from '../../contract/domain-error.js';
import { expiredMessage } from '../../contract/error-catalog.js';
import { hashSecret } from '../../platform/secrets/secrets.js';
import { keyRefusal, type KeyFacts, type KeyRefusal } from '../../policy/api-keys.js';
import { SignInsService } from '../audit/gathered/sign-ins.service.js';
import { ApiKeyUsageService } from '../api-keys/api-key-usage.service.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { readApiKey } from './api-key.hot.sql.js';
import type { Caller, RequestOrigin } from '../../policy/caller.js';

const MALFORMED =
  'The Authorization header must be "Bearer", a space and an API key; Basic and other schemes are not accepted.';

/** Whether a key that was accepted before still works, and until when. */
export interface KeyStanding {
  readonly refusal: KeyRefusal | null;
  readonly expiresAt: Date | null;
}

/** Resolves the `Authorization` header to a caller. Nothing is cached: a revoked key fails at once in every process. */
@Injectable()
export class AuthService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly apiKeys: ApiKeysService,
    private readonly usage: ApiKeyUsageService,
    private readonly signIns: SignInsService,
    private readonly clock: Clock,
  ) {}

  /** Refuses in the order of the contract: header, key, expiry, user. */
  async authenticate(authorization: string | undefined, request?: RequestOrigin): Promise<Caller> {
    const secret = bearerToken(authorization);
    if (!secret) throw new DomainError('UNAUTHORIZED', authorization === undefined ? undefined : MALFORMED);
    const key = await readApiKey(this.dataSource, hashSecret(secret));
    if (!key) throw new DomainError('INVALID_API_KEY');
    const now = this.clock.now();
    const refusal = keyRefusal(key, now);
    if (key.userId === null) throw refused(refusal ?? 'USER_NOT_FOUND', key);
    if (refusal) {
      if (request) this.signIns.refused({ id: key.id, userId: key.userId }, request, refusal);
      throw refused(refusal, key);
    }
    this.usage.touch(key.id, now);
    if (request) this.signIns.succeeded({ id: key.id, userId: key.userId }, request, now);
    return {
      id: key.userId,
      email: key.email,
      emailVerified: key.emailVerified,
      name: key.user_name,
      plan: key.plan,
      operator: key.operator,
      apiKey: { id: key.id, name: key.name, prefix: key.prefix },
      request,
    };
  }

  /** Returns the standings of keys by their ids, for what goes on after a request was accepted. */
  async standings(apiKeyIds: readonly string[]): Promise<ReadonlyMap<string, KeyStanding>> {
    const keys = new Map((await this.apiKeys.findFacts(apiKeyIds)).map((key) => [key.id, key]));
    const now = this.clock.now();
    return new Map(
      apiKeyIds.map((id) => {
        const key = keys.get(id);
        const refusal = key ? keyRefusal(key, now) : 'INVALID_API_KEY';
        return [id, { refusal, expiresAt: key?.expiresAt ?? null }];
      }),
    );
  }
}

function refused(refusal: KeyRefusal, { expiresAt }: KeyFacts): DomainError {
  const hasExpired = refusal === 'API_KEY_EXPIRED' && expiresAt !== null;
  return new DomainError(refusal, hasExpired ? expiredMessage(expiresAt) : undefined);
}
