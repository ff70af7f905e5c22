import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { Clock } from '../../../platform/clock/clock.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { SessionCookie } from '../../../platform/http/requests/session-cookie.js';
import { hashSecret } from '../../../platform/secrets/secrets.js';
import { keyRefusal } from '../../../policy/api-keys.js';
import type { Caller } from '../../../policy/caller.js';
import { AcceptedKeys } from '../accepted-keys.service.js';
import { readApiKey } from '../api-key.hot.sql.js';
import type { Authenticator } from './authenticator.js';

const OTHER_PAGE =
  'A request that changes something with a session must come from a page of this service, with session.csrf_token of GET /api/v1/me in the header X-CSRF-Token.';

/** By the cookie of somebody who signed in. */
@Injectable()
export class SessionAuthenticator implements Authenticator {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accepted: AcceptedKeys,
    private readonly cookie: SessionCookie,
    private readonly clock: Clock,
  ) {}

  recognizes(request: Request): boolean {
    return this.cookie.read(request) !== undefined;
  }

  /** 401 `SESSION_ENDED`; 403 `FORBIDDEN` for a change that no page of this service sends. */
  async authenticate(request: Request): Promise<Caller> {
    const caller = await this.callerOf(request);
    if (!caller) throw new DomainError('SESSION_ENDED');
    if (!this.cookie.permits(request, request.credential!)) throw new DomainError('FORBIDDEN', OTHER_PAGE);
    return caller;
  }

  /** Returns whose session a page was opened in, which checks by itself what its forms send; null if none is open. */
  async callerOf(request: Request): Promise<Caller | null> {
    const token = this.cookie.read(request);
    const session = token && (await readApiKey(this.dataSource, 'hash', hashSecret(token)));
    if (!session || session.signedInBy === null || session.userId === null) return null;
    if (keyRefusal(session, this.clock.now()) !== null) return null;
    request.credential = token;
    return this.accepted.callerOf(session, session.userId, originOf(request));
  }
}
