import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { databaseUnavailable } from '../database/database-errors.js';
import type { AppLogger } from '../logging/app-logger.js';
import { PlatformError } from '../errors/platform-error.js';
import { ServiceError } from '../errors/service-error.js';

/**
 * The one place where an error becomes a reply. What the client reads comes from the error catalog; what the log says
 * (cause and stack) never leaves.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: AppLogger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(thrown, http.getRequest<Request>(), http.getResponse<Response>());
  }

  /** Also for what runs outside Nest's routes, and for pages, which say it in their own way. */
  answer(thrown: unknown, request: Request, response: Response, say = sayInJson): void {
    const error = toServiceError(thrown);
    if (error.status >= 500) this.report(error, request);
    if (response.headersSent) {
      // Half a file is out already: cutting the connection is the only way left to say that it is not whole.
      response.destroy();
      return;
    }
    response.status(error.status).set(error.headers);
    say(error, response);
  }

  private report(error: ServiceError, request: Request): void {
    const level = error.code === 'SERVICE_UNAVAILABLE' ? 'warn' : 'error';
    this.logger[level]({ requestId: request.id, err: error.cause ?? error }, error.code);
  }
}

function sayInJson(error: ServiceError, response: Response): void {
  response.json(errorBody(error));
}

/** Exactly what a client reads of an error. */
interface ErrorBody {
  readonly error: { readonly code: string; readonly message: string };
}

export function errorBody({ code, message }: ServiceError): ErrorBody {
  return { error: { code, message } };
}

/** Maps what the framework, Express and the database throw; anything else is a fault of ours. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const unavailable = databaseUnavailable(thrown);
  if (unavailable) return unavailable;
  const status = thrown instanceof HttpException ? thrown.getStatus() : clientStatus(thrown);
  if (status === 404) return new PlatformError('NOT_FOUND');
  if (status === 413) return new PlatformError('PAYLOAD_TOO_LARGE');
  if (status === 415) return new PlatformError('UNSUPPORTED_MEDIA_TYPE');
  if (status === 503) return new PlatformError('SERVICE_UNAVAILABLE', undefined, { cause: thrown });
  if (status >= 400 && status < 500)
    return new PlatformError('VALIDATION_ERROR', 'The address of the request is not valid.');
  return new PlatformError('INTERNAL_ERROR', undefined, { cause: thrown });
}

/** Express and its parts throw plain errors that carry a status. */
function clientStatus(thrown: unknown): number {
  const status = (thrown as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : 500;
}
