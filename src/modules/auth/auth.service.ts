import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request } from 'express';
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
import type { Scope } from '../../contract/scopes.js';
import { DomainError } from '../../contract/domain-error.js';
import { keyRefusal, limitsOf, scopeRefusal, type KeyLimits } from '../../policy/api-keys.js';
import type { Reach } from '../../policy/reach.js';
import { ReplyChecks } from '../../platform/idempotency/reply-checks.service.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import type { Caller } from '../../policy/caller.js';
import { AccessTokenAuthenticator } from './authenticators/access-token.authenticator.js';
import { ApiKeyAuthenticator } from './authenticators/api-key.authenticator.js';
import type { Authenticator } from './authenticators/authenticator.js';
import { BrowserTokenAuthenticator } from './authenticators/browser-token.authenticator.js';
import { SessionAuthenticator } from './authenticators/session.authenticator.js';

/** Whether a key that was accepted before still is, wherever it is used, and its limits now; null if there is none. */
export interface KeyStanding {
  readonly refusal: DomainError | null;
  readonly limits: (KeyLimits & Reach) | null;
  /** When it ends by itself, as sessions do without that being a limit; null: never. */
  readonly endsAt: Date | null;
}

/**
 * Finds out who sends a request, by the first authenticator that recognizes a credential. Nothing is cached: a revoked
 * key or an ended session fails at once in every process.
 */
@Injectable()
export class AuthService implements OnModuleInit {
  private readonly authenticators: readonly Authenticator[];

  constructor(
    accessToken: AccessTokenAuthenticator,
    browserToken: BrowserTokenAuthenticator,
    apiKey: ApiKeyAuthenticator,
    session: SessionAuthenticator,
    private readonly apiKeys: ApiKeysService,
    private readonly clock: Clock,
    private readonly replies: ReplyChecks,
  ) {
    this.authenticators = [accessToken, browserToken, apiKey, session];
  }

  onModuleInit(): void {
    this.replies.decideBy(HAVING_SCOPES, requireScopes);
    this.replies.decideBy(OPERATING, (caller: Caller, { what, scope }) =>
      requireOperator(caller, what, scope),
    );
    this.replies.decideBy(REACHING, (caller: Caller, { all, what }) =>
      (all ? requireReachOfAll : requireReachOfEverything)(caller, what),
    );
  }

  /** Whether a request says who sends it. */
  isIdentified(request: Request): boolean {
    return this.authenticators.some((one) => one.recognizes(request));
  }

  /** 401 in the order of the contract: credential, its validity, its user. */
  async authenticate(request: Request): Promise<Caller> {
    const authenticator = this.authenticators.find((one) => one.recognizes(request));
    if (!authenticator) throw new DomainError('UNAUTHORIZED');
    return authenticator.authenticate(request);
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
        if (!key) return [id, { refusal: new DomainError('INVALID_API_KEY'), limits: null, endsAt: null }];
        const code = keyRefusal(key, now);
        const refusal = code ? new DomainError(code) : scopeRefusal(key.scopes, required);
        const limits = { ...limitsOf(key), refusedBy: key.refusedBy };
        return [id, { refusal, limits, endsAt: key.expiresAt }];
      }),
    );
  }
}
