import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ID_PARAMS } from '../../contract/id-param.decorator.js';
import type { Caller } from '../../policy/caller.js';
import { ExternalIdsService, isExternal, organizationIn } from './external-ids.service.js';

const NONE: ReadonlyMap<string, string> = new Map();
const IN_URL = /ext(?::|%3a)/i;

/**
 * Replaces external ids in a request by the ids that they stand for, after its caller is known and its body is read, and
 * before anything else looks at them. A request without any costs a look at its URL and its fields.
 */
@Injectable()
export class ExternalIdGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly externalIds: ExternalIdsService,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request & { readonly caller?: Caller }>();
    const { caller, body } = request;
    const fields = hasExternal(body) ? (body as Record<string, unknown>) : null;
    if (!caller || !(fields || IN_URL.test(request.url))) return true;
    const nouns = this.reflector.get<typeof NONE | undefined>(ID_PARAMS, context.getHandler()) ?? NONE;
    return this.resolve(request, caller, nouns, fields);
  }

  private async resolve(
    request: Request,
    caller: Caller,
    nouns: typeof NONE,
    fields: Record<string, unknown> | null,
  ): Promise<boolean> {
    await this.externalIds.resolvePath(caller, request.params, nouns);
    const within = organizationIn(request.params, nouns);
    if (fields) await this.externalIds.resolveFields(caller, fields, within);
    const query: Record<string, unknown> = { ...request.query };
    await this.externalIds.resolveFields(caller, query, within);
    // Express parses the query anew on every access.
    Object.defineProperty(request, 'query', { value: query });
    return true;
  }
}

const hasExternal = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  Object.values(body).some((value) => isExternal(value) || (Array.isArray(value) && value.some(isExternal)));
