import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { hasScope } from '../../contract/scopes.js';
import { limitsOf } from '../../policy/api-keys.js';
import type { Caller, RequestOrigin } from '../../policy/caller.js';
import { reachesEverything } from '../../policy/reach.js';
import { ApiKeyUsageService } from '../api-keys/api-key-usage.service.js';
import { SecurityEventsService } from '../audit/security-events.service.js';
import type { KeyRow } from './api-key.hot.sql.js';

/** What follows when an API key or a session has been accepted, however it came. */
@Injectable()
export class AcceptedKeys {
  constructor(
    private readonly usage: ApiKeyUsageService,
    private readonly securityEvents: SecurityEventsService,
    private readonly clock: Clock,
  ) {}

  /** Returns its user as the caller, and notes that it was used. `origin` is absent outside of requests. */
  callerOf(key: KeyRow, userId: string, origin?: RequestOrigin): Caller {
    const now = this.clock.now();
    this.usage.touch(key.id, now, origin?.address ?? null);
    // Operators act on everything, which a key with less reach cannot.
    const operates = key.operator && reachesEverything(key);
    const signIn = { id: key.id, userId, organizationId: key.serviceOf };
    if (origin) this.securityEvents.signInSucceeded(signIn, origin, now);
    return {
      id: userId,
      email: key.email,
      emailVerified: key.emailVerified,
      name: key.user_name,
      plan: key.plan,
      serviceOf: key.serviceOf,
      operator: operates && hasScope(key.scopes, 'operator'),
      managesUsers: operates && hasScope(key.scopes, 'users:manage'),
      apiKey: {
        id: key.id,
        name: key.name,
        prefix: key.prefix,
        ...limitsOf(key),
        refusedBy: key.refusedBy,
      },
      session: key.signedInBy && {
        way: key.signedInBy,
        provider: key.provider,
        createdAt: key.createdAt,
        expiresAt: key.expiresAt!,
      },
      client: key.oauthClient,
      request: origin,
    };
  }
}
