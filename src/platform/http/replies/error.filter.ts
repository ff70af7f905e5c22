import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { databaseUnavailable } from '../../database/database-errors.js';
import type { AppLogger } from '../../logging/app-logger.js';
import { EXTERNAL_ID_PREFIX, isUuid } from '../../ids.js';
import { quoteForMessage } from '../../../lib/text.js';
import { PlatformError } from '../../errors/platform-error.js';
import { ServiceError } from '../../errors/service-error.js';
import type { PublicUrl } from '../server/public-url.js';

/** The one place where an error becomes a reply: code and message of the catalog. Cause and stack are only logged. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  /** `contact`: whom messages tell callers to ask. `note` is called with each error of a route. `publicUrl`: for links to the guide. */
  constructor(
    private readonly logger: AppLogger,
    private readonly contact: string | null = null,
    private readonly note?: (thrown: unknown, request: Request) => void,
    private readonly publicUrl?: PublicUrl,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    this.reply(thrown, host);
  }

  /** Pages and protocols render errors their own way. */
  reply(thrown: unknown, host: ArgumentsHost, render = renderJson): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    this.note?.(thrown, request);
    this.answer(thrown, request, http.getResponse<Response>(), render);
  }

  /** Also used outside Nest's routes. */
  answer(thrown: unknown, request: Request, response: Response, render = renderJson): void {
    const error = toServiceError(thrown);
    request.errorCode = error.code;
    if (error.status >= 500) this.report(error, request);
    if (response.headersSent) {
      // Part of a file has already been sent: only closing the connection can signal that it is incomplete.
      response.destroy();
      return;
    }
    response.status(error.status).set(error.headers);
    const { code, status } = error;
    const help = this.publicUrl?.helpWith(code);
    if (help) response.append('Link', help);
    render({ code, status, message: error.messageFor(this.contact) }, response, request);
  }

  private report(error: ServiceError, request: Request): void {
    const refused = request.path.startsWith('/health/') ? 0 : 1;
    if (error.code === 'SERVICE_UNAVAILABLE' && this.logger.outage(error, refused)) return;
    const level = error.code === 'SERVICE_UNAVAILABLE' ? 'warn' : 'error';
    this.logger[level]({ requestId: request.id, err: error.cause ?? error }, error.code);
  }
}

function renderJson({ code, status, message }: ShownError, response: Response, request: Request): void {
  const why = status === 404 ? explainIds(request) : '';
  response.json(errorBody({ code, message: withIds(message, request) + why }));
}

/** A message with the ids of the request in its URLs, such as `POST /recordings/{id}/upload`. */
const withIds = (message: string, { params = {} }: Partial<Request>): string =>
  message.replace(/(?<=\/)\{(\w+)\}/g, (all, name: string) => {
    const id = String(params[name]);
    return isUuid(id) ? id : all;
  });

/** An id that is not a UUID belongs to nothing, so saying so reveals nothing of what exists. */
function explainIds({ params = {}, query = {}, body }: Partial<Request>): string {
  const named = [
    ...Object.entries(params).filter(([name]) => UUID_PARAMETER.test(name)),
    ...[query, body as unknown].flatMap((fields) =>
      Object.entries(fields ?? {}).filter(([name]) => name.endsWith('_id') && name !== 'external_id'),
    ),
  ];
  for (const [, id] of named)
    if (typeof id === 'string' && id.startsWith(EXTERNAL_ID_PREFIX))
      return ` You see none with the external id ${quoteForMessage(id.slice(EXTERNAL_ID_PREFIX.length))}.`;
    else if (typeof id === 'string' && !isUuid(id))
      return ` ${quoteForMessage(id)} is not an id: ids are UUIDs, such as ${EXAMPLE_ID}.`;
  return '';
}

/** Segments are numbered. */
const UUID_PARAMETER = /^id$|(?<!segment)Id$/;
const EXAMPLE_ID = '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90';

type ShownError = Pick<ServiceError, 'code' | 'status' | 'message'>;

/** All that a client sees of an error. */
export const errorBody = ({ code, message }: Pick<ServiceError, 'code' | 'message'>) => ({
  error: { code, message },
});

const NOT_A_URL =
  'The request URL is not valid: a % in it must be followed by two hexadecimal digits; the character % itself is %25';

/** Maps errors of the framework, Express and the database; anything else is a bug and becomes `INTERNAL_ERROR`. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const unavailable = databaseUnavailable(thrown);
  if (unavailable) return unavailable;
  const status = thrown instanceof HttpException ? thrown.getStatus() : clientStatus(thrown);
  if (status === 404) return new PlatformError('NOT_FOUND');
  if (status === 413) return new PlatformError('PAYLOAD_TOO_LARGE');
  if (status === 415) return new PlatformError('UNSUPPORTED_MEDIA_TYPE');
  if (status === 503) return new PlatformError('SERVICE_UNAVAILABLE', undefined, { cause: thrown });
  // Nobody else reads the URL before our own code does, and nobody the body.
  if (status === 400) return new PlatformError('VALIDATION_ERROR', NOT_A_URL);
  if (status >= 400 && status < 500)
    return new PlatformError('VALIDATION_ERROR', 'The request URL is not valid.');
  return new PlatformError('INTERNAL_ERROR', undefined, { cause: thrown });
}

/** Express and its middleware throw plain errors with a status. */
function clientStatus(thrown: unknown): number {
  const status = (thrown as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : 500;
}
