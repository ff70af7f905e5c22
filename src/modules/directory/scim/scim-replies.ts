import {
  applyDecorators,
  Catch,
  Controller,
  createParamDecorator,
  Header,
  Inject,
  Injectable,
  UseFilters,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import SCIMMY from 'scimmy';
import { RequiresScopes } from '../../../contract/scope.decorator.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { ErrorFilter } from '../../../platform/http/replies/error.filter.js';
import { AcceptsJson } from '../../../platform/http/requests/endpoint-inputs.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import type { Caller } from '../../../policy/caller.js';
import { readShown, type ScimQuery, type Shown } from './scim-query.js';

export const SCIM_PATH = 'scim/v2';
const TYPE = 'application/scim+json';

/** Errors as SCIM has them (RFC 7644, 3.12), with the messages of the service; what is unexpected is only logged. */
@Catch()
class ScimFilter implements ExceptionFilter {
  private readonly errors: ErrorFilter;

  constructor(logger: AppLogger, @Inject(SETTINGS) { adviceContact }: Settings) {
    this.errors = new ErrorFilter(logger, adviceContact);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    if (thrown instanceof SCIMMY.Types.Error) {
      http.getRequest<Request>().errorCode = thrown.scimType || 'NOT_FOUND';
      return sendError(http.getResponse<Response>(), thrown);
    }
    this.errors.reply(thrown, host, ({ status, message }, response) => {
      const scimType = message.startsWith('body:') ? 'invalidSyntax' : 'invalidValue';
      sendError(response, { status, message, scimType: status === 400 ? scimType : '' });
    });
  }
}

function sendError(
  response: Response,
  { status, scimType, message: detail }: Pick<SCIMMY.Types.SCIMError, 'status' | 'scimType' | 'message'>,
): void {
  const type = scimType ? { scimType } : {};
  const body = { schemas: [SCIMMY.Messages.Error.id], status: String(status), ...type, detail };
  response.status(status).type(TYPE).send(JSON.stringify(body));
}

/** Sends replies as the media type of the protocol, without what is null, and says where what was created is. */
@Injectable()
class ScimReply implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      map((body: { readonly meta?: { readonly location: string } } | undefined) => {
        if (body === undefined) response.status(204);
        else if (http.getRequest<Request>().method === 'POST' && body.meta)
          response.location(body.meta.location);
        return body && JSON.stringify(body, (_, value: unknown) => value ?? undefined);
      }),
    );
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
    Controller(`${SCIM_PATH}/${path}`),
    UseFilters(ScimFilter),
    UseInterceptors(ScimReply),
  );

/** An operation of the protocol. */
export const ScimOperation = (): MethodDecorator =>
  applyDecorators(
    RequiresScopes('directory:manage'),
    AcceptsJson({ query: true }),
    Header('Content-Type', TYPE),
  );

/** What an operation of the protocol is given. `id`: empty if the URL has none. */
export interface ScimRequest {
  readonly caller: Caller;
  readonly id: string;
  readonly query: ScimQuery;
  readonly shown: Shown;
  readonly body: unknown;
}

/** Injects it. Bodies and queries are read by the rules of the protocol, not by classes of fields. */
export const ScimInput = createParamDecorator((_: unknown, context: ExecutionContext): ScimRequest => {
  const request = context.switchToHttp().getRequest<Request & { readonly caller: Caller }>();
  const { caller, params, query, body } = request;
  return { caller, id: String(params['id'] ?? ''), query, shown: readShown(query), body: body as unknown };
});
