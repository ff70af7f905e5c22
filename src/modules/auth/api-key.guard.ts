import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { DomainError } from '../../contract/domain-error.js';
import { originOf } from '../../platform/http/client-address.js';
import { IS_PUBLIC, type PublicRoute } from '../../platform/http/endpoint-inputs.js';
import type { LoggedCaller } from '../../platform/http/request-log.js';
import { RequestLimits } from '../../platform/http/request-limits.js';
import type { Caller } from '../../policy/caller.js';
import { AuthService } from './auth.service.js';
import { SpentKeys } from './spent-keys.js';

/** A request that has passed the guard. */
interface AuthenticatedRequest extends Request {
  caller: Caller & LoggedCaller;
}

/**
 * Every route requires an API key, except those marked public. Counts the requests of users, and by address those without a
 * valid key.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly spent = new SpentKeys();

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
    const { authorization } = request.headers;
    if (open === 'or key' && authorization === undefined) return true;
    if (authorization !== undefined) this.refuseSpent(authorization, request, response);
    const caller = await this.authenticate(request, response);
    request.caller = caller;
    try {
      await this.limits.countUser('user', caller.id, response);
    } catch (refusal) {
      if (authorization !== undefined) this.spent.add(authorization, caller);
      throw refusal;
    }
    return true;
  }

  /** Before the key is looked up. */
  private refuseSpent(authorization: string, request: AuthenticatedRequest, response: Response): void {
    const caller = this.spent.get(authorization);
    if (!caller) return;
    const refusal = this.limits.refusalIfSpent('user', caller.id, response);
    if (refusal) {
      // For the log.
      request.caller = caller;
      throw refusal;
    }
    this.spent.delete(authorization);
  }

  private async authenticate(request: Request, response: Response): Promise<Caller> {
    try {
      return await this.auth.authenticate(request.headers.authorization, originOf(request));
    } catch (error) {
      if (!(error instanceof DomainError) || error.status !== 401) throw error;
      if (error.code === 'UNAUTHORIZED') await this.limits.countAddress('anonymous', request, response);
      else await this.limits.countWrongKey(request, response);
      throw error;
    }
  }
}
