import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { requireScopes } from '../api-keys/public/key-requirements.js';
import { IS_MANAGEMENT } from '../../contract/api-tags.decorator.js';
import { REQUIRED_SCOPES } from '../../contract/scope.decorator.js';
import type { Scope } from '../../contract/scopes.js';
import { DomainError } from '../../contract/domain-error.js';
import { originOf } from '../../platform/http/requests/client-address.js';
import { IS_PUBLIC, type PublicRoute } from '../../platform/http/requests/endpoint-inputs.js';
import type { LoggedCaller } from '../../platform/http/server/request-log.js';
import { RequestLimits } from '../../platform/http/requests/request-limits.js';
import type { Caller } from '../../policy/caller.js';
import { AuthService } from './auth.service.js';
import { explainMisplacedKey } from './misplaced-key.js';

/** A request that has passed the guard. */
interface AuthenticatedRequest extends Request {
  caller: Caller & LoggedCaller;
}

/**
 * Every route requires an API key with the scopes that it declares, except those marked public. Counts the requests of
 * users, and by address those without a valid key.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly auth: AuthService,
    private readonly limits: RequestLimits,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const open = this.reflector.getAllAndOverride<PublicRoute>(IS_PUBLIC, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (open === true) return true;
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const response = http.getResponse<Response>();
    if (open === 'or key' && request.headers.authorization === undefined) return true;
    const caller = await this.authenticate(request, response);
    request.caller = caller;
    if (this.reflector.get<true | undefined>(IS_MANAGEMENT, context.getClass()))
      request.managing = context.getHandler().name;
    await this.limits.countUser('user', caller.id, response);
    requireScopes(caller, this.scopesOf(context.getHandler()));
    return true;
  }

  private scopesOf(handler: ReturnType<ExecutionContext['getHandler']>): readonly Scope[] {
    const required = this.reflector.get<readonly Scope[] | undefined>(REQUIRED_SCOPES, handler);
    if (!required) throw new Error(`${handler.name} declares no scope, so no API key may use it`);
    return required;
  }

  private async authenticate(request: Request, response: Response): Promise<Caller> {
    try {
      return await this.auth.authenticate(request.headers.authorization, originOf(request));
    } catch (error) {
      if (!(error instanceof DomainError) || error.status !== 401) throw error;
      if (error.code !== 'UNAUTHORIZED') {
        await this.limits.countWrongKey(request, response);
        throw error;
      }
      await this.limits.countAddress('anonymous', request, response);
      const misplaced = explainMisplacedKey(request.originalUrl, request.headers);
      throw misplaced === null ? error : new DomainError('UNAUTHORIZED', misplaced);
    }
  }
}
