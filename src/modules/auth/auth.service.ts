import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  HAVING_SCOPES,
  OPERATING,
  REACHING,
  requireOperator,
  requireReachOfAll,
  requireReachOfEverything,
  requireScopes,
} from '../api-keys/public/key-requirements.js';
import { Clock } from '../../platform/clock/clock.js';
import { bearerToken } from '../../platform/http/requests/bearer-token.js';
import { apiKeyMistake } from '../../contract/api-key-format.js';
import { hasScope, type Scope } from '../../contract/scopes.js';
import { DomainError } from '../../contract/domain-error.js';
import { expiredMessage } from '../../contract/error-catalog.js';
import { hashSecret } from '../../platform/secrets/secrets.js';
import {
  addressRefusal,
  type KeyFacts,
  type KeyLimits,
  keyRefusal,
  type KeyRefusal,
  limitsOf,
  scopeRefusal,
} from '../../policy/api-keys.js';
import { reachesEverything, type Reach } from '../../policy/reach.js';
import { ReplyChecks } from '../../platform/idempotency/reply-checks.service.js';
import { SecurityEventsService } from '../audit/security-events.service.js';
import { ApiKeyUsageService } from '../api-keys/api-key-usage.service.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { readApiKey } from './api-key.hot.sql.js';
import type { Caller, RequestOrigin } from '../../policy/caller.js';

const MALFORMED =
  'The Authorization header must be "Bearer", a space and an API key; Basic and other schemes are not accepted.';

/** Whether a key that was accepted before still is, wherever it is used, and its limits now; null if there is none. */
export interface KeyStanding {
  readonly refusal: DomainError | null;
  readonly limits: (KeyLimits & Reach) | null;
}

/** Resolves the `Authorization` header to a caller. Nothing is cached: a revoked key fails at once in every process. */
@Injectable()
export class AuthService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly apiKeys: ApiKeysService,
    private readonly usage: ApiKeyUsageService,
    private readonly securityEvents: SecurityEventsService,
    private readonly clock: Clock,
    private readonly replies: ReplyChecks,
  ) {}

  onModuleInit(): void {
    this.replies.decideBy(HAVING_SCOPES, requireScopes);
    this.replies.decideBy(OPERATING, (caller: Caller, { what }) => requireOperator(caller, what));
    this.replies.decideBy(REACHING, (caller: Caller, { all, what }) =>
      (all ? requireReachOfAll : requireReachOfEverything)(caller, what),
    );
  }

  /** Refuses in the order of the contract: header, key, expiry, user. */
  async authenticate(authorization: string | undefined, request?: RequestOrigin): Promise<Caller> {
    const secret = bearerToken(authorization);
    if (!secret) throw new DomainError('UNAUTHORIZED', authorization === undefined ? undefined : MALFORMED);
    const mistake = apiKeyMistake(secret);
    if (mistake !== null) throw new DomainError('INVALID_API_KEY', `This API key is malformed. ${mistake}`);
    const key = await readApiKey(this.dataSource, hashSecret(secret));
    if (!key) throw new DomainError('INVALID_API_KEY');
    const now = this.clock.now();
    const refusal = keyRefusal(key, now);
    if (key.userId === null) throw refused(refusal ?? 'USER_NOT_FOUND', key);
    const signedIn = { id: key.id, userId: key.userId, organizationId: key.serviceOf };
    if (refusal) {
      if (request) this.securityEvents.signInRefused(signedIn, request, refusal);
      throw refused(refusal, key);
    }
    const misplaced = addressRefusal(key, request?.address);
    if (misplaced) {
      if (request) this.securityEvents.signInRefused(signedIn, request, misplaced.code);
      throw misplaced;
    }
    this.usage.touch(key.id, now, request?.address ?? null);
    if (request) this.securityEvents.signInSucceeded(signedIn, request, now);
    return {
      id: key.userId,
      email: key.email,
      emailVerified: key.emailVerified,
      name: key.user_name,
      plan: key.plan,
      serviceOf: key.serviceOf,
      // Operators act on everything, which a key with less reach cannot.
      operator: key.operator && hasScope(key.scopes, 'operator') && reachesEverything(key),
      apiKey: {
        id: key.id,
        name: key.name,
        prefix: key.prefix,
        ...limitsOf(key),
        refusedBy: key.refusedBy,
      },
      request,
    };
  }

  /** Returns the standings of keys by their ids, for what goes on after a request that requires these scopes. */
  async standings(
    apiKeyIds: readonly string[],
    required: readonly Scope[],
  ): Promise<ReadonlyMap<string, KeyStanding>> {
    const keys = new Map((await this.apiKeys.findFacts(apiKeyIds)).map((key) => [key.id, key]));
    const now = this.clock.now();
    return new Map(
      apiKeyIds.map((id): [string, KeyStanding] => {
        const key = keys.get(id);
        if (!key) return [id, { refusal: new DomainError('INVALID_API_KEY'), limits: null }];
        const code = keyRefusal(key, now);
        const refusal = code ? new DomainError(code) : scopeRefusal(key.scopes, required);
        return [id, { refusal, limits: { ...limitsOf(key), refusedBy: key.refusedBy } }];
      }),
    );
  }
}

function refused(refusal: KeyRefusal, { expiresAt }: KeyFacts): DomainError {
  const hasExpired = refusal === 'API_KEY_EXPIRED' && expiresAt !== null;
  return new DomainError(refusal, hasExpired ? expiredMessage(expiresAt) : undefined);
}
