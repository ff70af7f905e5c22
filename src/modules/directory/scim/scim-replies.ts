import {
  applyDecorators,
  Controller,
  createParamDecorator,
  Header,
  Injectable,
  UseFilters,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import SCIMMY from 'scimmy';
import { RequiresScopes } from '../../../contract/scope.decorator.js';
import { AcceptsJson } from '../../../platform/http/requests/endpoint-inputs.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import type { Caller } from '../../../policy/caller.js';
import type { DirectoryGroup } from '../entities/directory-group.entity.js';
import type { DirectoryUser } from '../entities/directory-user.entity.js';
import type { GroupWithMembers } from '../directory-groups.service.js';
import type { Found } from '../directory-users.service.js';
import { presentGroup } from './scim-groups.js';
import { pick, type ScimQuery, type Shown } from './scim-query.js';
import { presentUser } from './scim-users.js';
import { SCIM_TYPE, ScimFilter } from './scim.filter.js';

const PATH = 'scim/v2';

/** Builds replies, with the URLs of what they have. */
@Injectable()
export class ScimReplies implements NestInterceptor {
  constructor(private readonly publicUrl: PublicUrl) {}

  get base(): string {
    return this.publicUrl.resolve(`/${PATH}`);
  }

  /** Sends them as the media type of the protocol, and says where what was created is. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const { method } = http.getRequest<Request>();
    return next.handle().pipe(
      map((body: { readonly meta?: { readonly location: string } } | undefined) => {
        if (method === 'POST' && body?.meta) http.getResponse<Response>().location(body.meta.location);
        return body === undefined ? body : JSON.stringify(body);
      }),
    );
  }

  user(user: DirectoryUser, shown: Shown): object {
    return pick({ ...presentUser(user), meta: this.metaOf('User', user.userId, user) }, shown);
  }

  group({ group, members }: GroupWithMembers, shown: Shown): object {
    return pick({ ...presentGroup(group, members), meta: this.metaOf('Group', group.id, group) }, shown);
  }

  page<T>({ rows, total, startIndex }: Found<T>, present: (row: T) => object): object {
    return {
      schemas: [SCIMMY.Messages.ListResponse.id],
      totalResults: total,
      startIndex,
      itemsPerPage: rows.length,
      Resources: rows.map(present),
    };
  }

  private metaOf(
    resourceType: 'User' | 'Group',
    id: string,
    { createdAt, updatedAt }: Pick<DirectoryGroup, 'createdAt' | 'updatedAt'>,
  ) {
    const location = `${this.base}/${resourceType}s/${id}`;
    return { resourceType, created: createdAt, lastModified: updatedAt, location };
  }
}

/**
 * A controller of the protocol, which describes itself, so that the API document does not. Not the routers of
 * scimmy-routers: they read bodies before a caller is known, send the messages of unexpected errors, lose the page that
 * Express 5 has in a query, and offer bulk requests and searches over everything.
 */
export const ScimController = (path: string): ClassDecorator =>
  applyDecorators(
    ApiExcludeController(),
    Controller(`${PATH}/${path}`),
    UseFilters(ScimFilter),
    UseInterceptors(ScimReplies),
  );

/** What an operation of the protocol is given. `id`: empty if the URL has none. */
export interface ScimRequest {
  readonly caller: Caller;
  readonly id: string;
  readonly query: ScimQuery;
  readonly body: unknown;
}

/** Injects it. Bodies and queries are read by the schemas of the protocol, not by classes of fields. */
export const ScimInput = createParamDecorator((_: unknown, context: ExecutionContext): ScimRequest => {
  const { caller, params, query, body } = context
    .switchToHttp()
    .getRequest<Request & { readonly caller: Caller }>();
  return { caller, id: String(params['id'] ?? ''), query, body: body as unknown };
});

/** An operation of the protocol. */
export const ScimOperation = (): MethodDecorator =>
  applyDecorators(
    RequiresScopes('directory:manage'),
    AcceptsJson({ query: true }),
    Header('Content-Type', SCIM_TYPE),
  );
