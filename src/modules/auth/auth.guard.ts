import type { IncomingHttpHeaders } from 'node:http';
import { printable } from '../../lib/text.js';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { SpanKind } from '@opentelemetry/api';
import type { Request, Response } from 'express';
import { requireScopes } from '../api-keys/public/key-requirements.js';
import { IS_MANAGEMENT } from '../../contract/api-tags.decorator.js';
import { REQUIRED_SCOPES } from '../../contract/scope.decorator.js';
import type { Scope } from '../../contract/scopes.js';
import { DomainError } from '../../contract/domain-error.js';
import { IS_PUBLIC, type PublicRoute } from '../../platform/http/requests/endpoint-inputs.js';
import type { LoggedCaller } from '../../platform/http/server/request-log.js';
import { spannedWithin } from '../../platform/telemetry/spans.js';
import { RequestLimits } from '../../platform/http/requests/request-limits.js';
import { METRICS } from '../../platform/telemetry/metrics.js';
import { requireOperation } from '../../policy/browser-tokens.js';
import type { Caller } from '../../policy/caller.js';
import { AuthService } from './auth.service.js';

const RIGHT_PLACE = 'send it in the header "Authorization: Bearer <API_KEY>"';

/** What begins like a key in a query, with or without the scheme before it. */
const IN_QUERY = /=(?:bearer(?:\+|%20))?mrs_/i;

/** Says where the API key of a request is, if not where it belongs; null if it has none. */
export function explainMisplacedKey(url: string, headers: IncomingHttpHeaders): string | null {
  if (IN_QUERY.test(url.slice(url.indexOf('?'))))
    return `The API key is in the URL, where logs and histories keep it: ${RIGHT_PLACE}. Rotate this key, or revoke it, as others may have read it.`;
  const name = Object.keys(headers).find(
    (one) => one === 'x-api-key' || (one !== 'authorization' && String(headers[one]).startsWith('mrs_')),
  );
  return name === undefined ? null : `The API key is in the header ${printable(name)}: ${RIGHT_PLACE}.`;
}

/**
 * Every route requires an API key with the scopes that it declares, or a session, except those marked public. Counts the
 * requests of users, and by address those without a valid key.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly auth: AuthService,
    private readonly limits: RequestLimits,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { caller: Caller & LoggedCaller }>();
    request.operation = context.getHandler().name;
    const open = this.reflector.getAllAndOverride<PublicRoute>(IS_PUBLIC, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (open === true) return true;
    const response = http.getResponse<Response>();
    if (open === 'or key' && !this.auth.isIdentified(request)) return true;
    const caller = await spannedWithin('authenticate', SpanKind.INTERNAL, () =>
      this.authenticate(request, response),
    );
    request.caller = caller;
    if (this.reflector.get<true | undefined>(IS_MANAGEMENT, context.getClass()))
      request.managing = context.getHandler().name;
    await this.limits.countUser('user', caller.countedAs ?? caller.id, response);
    const required = this.reflector.get<readonly Scope[] | undefined>(REQUIRED_SCOPES, context.getHandler());
    if (!required)
      throw new Error(`${context.getHandler().name} declares no scope, so no API key may use it`);
    const { path } = request.route as { readonly path: string };
    requireOperation(caller, required, path, request.params['id']);
    requireScopes(caller, required);
    return true;
  }

  private async authenticate(request: Request, response: Response): Promise<Caller> {
    try {
      return await this.auth.authenticate(request);
    } catch (error) {
      if (!(error instanceof DomainError) || error.status !== 401) throw error;
      // One that was valid is no guess; were it counted as one, pages could not learn that they need another.
      if (error.code !== 'UNAUTHORIZED' && error.code !== 'TOKEN_EXPIRED') {
        METRICS.signInsRefused.inc({ code: error.code });
        await this.limits.countWrongKey(request, response);
        throw error;
      }
      await this.limits.countAddress('anonymous', request, response);
      const misplaced = explainMisplacedKey(request.originalUrl, request.headers);
      throw misplaced === null ? error : new DomainError('UNAUTHORIZED', misplaced);
    }
  }
}
