import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { apiKeyMistake } from '../../../contract/api-key-format.js';
import { DomainError } from '../../../contract/domain-error.js';
import { expiredMessage } from '../../../contract/error-catalog.js';
import { Clock } from '../../../platform/clock/clock.js';
import { bearerToken } from '../../../platform/http/requests/bearer-token.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { hashSecret } from '../../../platform/secrets/secrets.js';
import { addressRefusal, keyRefusal, type KeyFacts, type KeyRefusal } from '../../../policy/api-keys.js';
import type { Caller, RequestOrigin } from '../../../policy/caller.js';
import { SecurityEventsService } from '../../audit/security-events.service.js';
import { AcceptedKeys } from '../accepted-keys.service.js';
import { readApiKey } from '../api-key.hot.sql.js';
import type { Authenticator } from './authenticator.js';

const MALFORMED =
  'The Authorization header must be "Bearer", a space and an API key; Basic and other schemes are not accepted.';

/** By an API key in the `Authorization` header. */
@Injectable()
export class ApiKeyAuthenticator implements Authenticator {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accepted: AcceptedKeys,
    private readonly securityEvents: SecurityEventsService,
    private readonly clock: Clock,
  ) {}

  recognizes({ headers }: Request): boolean {
    return headers.authorization !== undefined;
  }

  async authenticate(request: Request): Promise<Caller> {
    const secret = bearerToken(request.headers.authorization);
    if (!secret) throw new DomainError('UNAUTHORIZED', MALFORMED);
    const caller = await this.callerOf(secret, originOf(request));
    request.credential = secret;
    return caller;
  }

  /** Returns whose key it is. Refuses in the order of the contract: key, expiry, user. `origin` is absent outside of requests. */
  async callerOf(secret: string, origin?: RequestOrigin): Promise<Caller> {
    const mistake = apiKeyMistake(secret);
    if (mistake !== null) throw new DomainError('INVALID_API_KEY', `This API key is malformed. ${mistake}`);
    const key = await readApiKey(this.dataSource, 'hash', hashSecret(secret));
    if (!key) throw new DomainError('INVALID_API_KEY');
    const refusal = keyRefusal(key, this.clock.now());
    if (key.userId === null) throw refused(refusal ?? 'USER_NOT_FOUND', key);
    const signIn = { id: key.id, userId: key.userId, organizationId: key.serviceOf };
    if (refusal) {
      if (origin) this.securityEvents.signInRefused(signIn, origin, refusal);
      throw refused(refusal, key);
    }
    const misplaced = addressRefusal(key, origin?.address);
    if (misplaced) {
      if (origin) this.securityEvents.signInRefused(signIn, origin, misplaced.code);
      throw misplaced;
    }
    return this.accepted.callerOf(key, key.userId, origin);
  }
}

function refused(refusal: KeyRefusal, { expiresAt }: KeyFacts): DomainError {
  const hasExpired = refusal === 'API_KEY_EXPIRED' && expiresAt !== null;
  return new DomainError(refusal, hasExpired ? expiredMessage(expiresAt) : undefined);
}
