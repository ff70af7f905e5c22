import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { AppLogger } from '../../logging/app-logger.js';
import { clientAddress } from '../requests/client-address.js';

const VALID_ID = /^[A-Za-z0-9._-]{1,128}$/;

declare global {
  namespace Express {
    interface Request {
      /** Returned as `X-Request-Id`. */
      id: string;
      /** Code of the error response, for the log; a status such as 403 has several. */
      errorCode?: string;
    }
  }
}

/** What the log needs of the caller: the id, and of the API key only its prefix. */
export interface LoggedCaller {
  readonly id: string;
  readonly apiKey: { readonly prefix: string };
}

/** Removes secrets from a path. */
export type MaskPath = (path: string) => string;

/** Assigns a request its id, and logs one line when the response has been sent or the connection is closed. */
export function logRequest(
  { pino }: AppLogger,
  maskPath: MaskPath,
  request: Request & { caller?: LoggedCaller },
  response: Response,
): void {
  const begun = Date.now();
  const id = idOf(request);
  // Unknown once the connection is closed.
  const address = clientAddress(request);
  request.id = id;
  response.setHeader('X-Request-Id', id);
  response.once('close', () => {
    const { method, originalUrl, caller, errorCode } = request;
    const level = originalUrl.startsWith('/health/') ? 'debug' : 'info';
    pino[level](
      {
        requestId: id,
        method,
        path: loggedPath(originalUrl, maskPath),
        status: response.statusCode,
        errorCode,
        address,
        userId: caller?.id,
        apiKeyPrefix: caller?.apiKey.prefix,
        ms: Date.now() - begun,
      },
      'request',
    );
  });
  // An interrupted response is logged above; without a listener, its error would end the process.
  response.on('error', ignore);
}

function ignore(): void {}

function idOf({ headers }: Request): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && VALID_ID.test(given) ? given : randomUUID();
}

/** Without the query, which may contain search terms and signatures. */
export const loggedPath = (url: string, maskPath: MaskPath): string => maskPath(url.split('?')[0] ?? '');
