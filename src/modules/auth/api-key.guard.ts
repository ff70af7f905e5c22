import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { takePoint } from '../../platform/http/rate-limit.js';
import type { LoggedCaller } from '../../platform/http/request-log.js';
import { IS_PUBLIC } from '../../platform/http/endpoint-inputs.js';
import type { Caller } from '../../policy/caller.js';
import { AuthService } from './auth.service.js';

/** A request that has passed the guard. */
interface AuthenticatedRequest extends Request {
  caller: Caller & LoggedCaller;
}

/** Every route requires an API key, except those marked public. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly limiter: RateLimiterMemory | null;

  constructor(
    private readonly auth: AuthService,
    private readonly reflector: Reflector,
    @Inject(SETTINGS) { rateLimitPerMinute: points }: Settings,
  ) {
    this.limiter = points > 0 ? new RateLimiterMemory({ points, duration: 60 }) : null;
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (this.reflector.getAllAndOverride<boolean>(IS_PUBLIC, [context.getHandler(), context.getClass()]))
      return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const caller = await this.auth.authenticate(request.headers.authorization);
    request.caller = caller;
    if (this.limiter) await takePoint(this.limiter, caller.apiKey.id);
    return true;
  }
}
