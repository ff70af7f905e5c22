import type { RequestHandler, Response } from 'express';
import { PlatformError } from '../../errors/platform-error.js';

const METHODS = ['PATCH', 'DELETE', 'HEAD'];

/**
 * Lets `X-HTTP-Method-Override` replace the method of a `POST` before routing, for clients behind a proxy that only
 * lets `GET` and `POST` through, so that authentication, limits and the log see a single method.
 */
export const overrideMethod: RequestHandler = (request, response, next) => {
  const method = request.get('X-HTTP-Method-Override');
  if (method !== undefined && method !== request.method) {
    if (request.method !== 'POST' || !METHODS.includes(method))
      throw new PlatformError(
        'VALIDATION_ERROR',
        `X-HTTP-Method-Override: must be one of ${METHODS.join(', ')}, in a POST request`,
      );
    request.method = method;
    if (method === 'HEAD') sendNoBody(response);
  }
  next();
};

/** Express announces the length of the body that it omits, but to a client that sent `POST` a reply has that body. */
function sendNoBody(response: Response): void {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => Response;
  response.writeHead = (...args: unknown[]) => {
    response.setHeader('Content-Length', 0);
    return writeHead(...args);
  };
}
