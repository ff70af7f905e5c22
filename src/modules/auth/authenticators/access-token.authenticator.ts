import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import type { Scope } from '../../../contract/scopes.js';
import { Clock } from '../../../platform/clock/clock.js';
import { bearerToken } from '../../../platform/http/requests/bearer-token.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { isInProcess } from '../../../platform/http/server/in-process.js';
import { Sealer } from '../../../platform/sealing/sealer.js';
import { hashSecret } from '../../../platform/secrets/secrets.js';
import { keyRefusal } from '../../../policy/api-keys.js';
import type { Caller } from '../../../policy/caller.js';
import { AcceptedKeys } from '../accepted-keys.service.js';
import { readAccessToken, type TokenRow } from '../api-key.hot.sql.js';
import { ACCESS_TOKEN_PREFIX, type Audience } from '../public/access-tokens.js';
import type { Authenticator } from './authenticator.js';

/** As routes are matched. */
const MCP = /^\/mcp\/?$/i;

/** By an access token that the authorization server has issued to an OAuth client. */
@Injectable()
export class AccessTokenAuthenticator implements Authenticator {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accepted: AcceptedKeys,
    private readonly sealer: Sealer,
    private readonly clock: Clock,
  ) {}

  recognizes({ headers }: Request): boolean {
    return bearerToken(headers.authorization)?.startsWith(ACCESS_TOKEN_PREFIX) ?? false;
  }

  /** 401 `INVALID_TOKEN`, or `TOKEN_EXPIRED`. */
  async authenticate(request: Request): Promise<Caller> {
    const token = await readAccessToken(
      this.dataSource,
      hashSecret(bearerToken(request.headers.authorization) ?? ''),
    );
    const now = this.clock.now();
    if (!token?.userId || keyRefusal(token, now) !== null || !isFor(token, request))
      throw new DomainError('INVALID_TOKEN');
    if (token.tokenExpiresAt <= now)
      throw new DomainError('TOKEN_EXPIRED', 'The access token has expired. Refresh it.');
    // Replies that are kept for repeated requests belong to the connection, whose tokens are replaced all the time.
    request.credential = this.sealer.derive(`connection ${token.id}`)[0].toString('base64url');
    const asked = new Set(token.tokenScope?.split(' '));
    const scopes = (token.scopes ?? []).filter((scope: Scope) => asked.has(scope));
    return this.accepted.callerOf({ ...token, scopes }, token.userId, originOf(request));
  }
}

/** Whether a token was issued for what the request is for: `/mcp` makes requests to the API by itself. */
function isFor({ audience }: TokenRow, request: Request): boolean {
  if (audience === ('all' satisfies Audience)) return true;
  const place: Audience = MCP.test(request.path) || isInProcess(request) ? 'mcp' : 'api';
  return audience === place;
}
