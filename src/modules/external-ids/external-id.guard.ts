import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ID_PARAMS } from '../../contract/id-param.decorator.js';
import type { Caller } from '../../policy/caller.js';
import { ExternalIdsService, ID_FIELDS, isExternal, type IdFields } from './external-ids.service.js';

const IN_URL = /ext(?::|%3a)/i;

/**
 * Replaces external ids in a request with the ids that they stand for, once its caller is known and its body has been
 * read, and before anything else uses them. Without external ids, this only looks at the URL and the fields of the body.
 */
@Injectable()
export class ExternalIdGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly externalIds: ExternalIdsService,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request & { readonly caller?: Caller }>();
    const { caller } = request;
    if (!caller || !(hasExternal(request.body) || IN_URL.test(request.url))) return true;
    const ofPath = this.reflector.get<IdFields | undefined>(ID_PARAMS, context.getHandler()) ?? {};
    return this.replace(request, caller, ofPath);
  }

  private async replace(request: Request, caller: Caller, ofPath: IdFields): Promise<boolean> {
    const within = await this.externalIds.replace(caller, request.params, ofPath);
    if (hasExternal(request.body)) await this.externalIds.replace(caller, request.body, ID_FIELDS, within);
    const query = { ...request.query };
    await this.externalIds.replace(caller, query, ID_FIELDS, within);
    // Express parses the query anew on every access.
    Object.defineProperty(request, 'query', { value: query });
    return true;
  }
}

const hasExternal = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' &&
  body !== null &&
  Object.values(body).some((value) => isExternal(value) || (Array.isArray(value) && value.some(isExternal)));
