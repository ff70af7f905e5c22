import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { tap, type Observable } from 'rxjs';
import { IS_MANAGEMENT } from '../../../contract/api-tags.decorator.js';
import { DomainError } from '../../../contract/domain-error.js';
import type { Caller } from '../../../policy/caller.js';
import { RefusalsService } from './refusals.service.js';

/** Notes 403 `FORBIDDEN` of operations that manage something, which their tag says. */
@Injectable()
export class RefusalsInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly refusals: RefusalsService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (this.reflector.get<true | undefined>(IS_MANAGEMENT, context.getClass()) === undefined)
      return next.handle();
    return next.handle().pipe(tap({ error: (error: unknown) => this.note(context, error) }));
  }

  private note(context: ExecutionContext, error: unknown): void {
    if (!(error instanceof DomainError) || error.code !== 'FORBIDDEN') return;
    const request = context.switchToHttp().getRequest<Request & { caller?: Caller }>();
    if (!request.caller) return;
    this.refusals.note(request.caller, {
      operation: context.getHandler().name,
      code: error.code,
      organizationId: organizationOf(request),
    });
  }
}

/** The organization that a request names: in its path, or as `organization_id`. */
function organizationOf({ route, params, query, body }: Request): string | null {
  const { path } = route as { readonly path: string };
  if (path.includes('/organizations/:id')) return String(params['id']);
  const named =
    query['organization_id'] ?? (body as { organization_id?: unknown } | undefined)?.organization_id;
  return typeof named === 'string' ? named : null;
}
