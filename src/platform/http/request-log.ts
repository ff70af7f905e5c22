import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { AppLogger } from '../logging/app-logger.js';

const TAKEN_OVER = /^[A-Za-z0-9._-]{1,128}$/;

declare global {
  namespace Express {
    interface Request {
      /** Sent back as `X-Request-Id`. */
      id: string;
      /** Of the error that it is answered with, for the log; a status such as 403 has several. */
      errorCode?: string;
    }
  }
}

/** Who asked: of it the log has the id, and never more of the key than its prefix. */
export interface LoggedCaller {
  readonly id: string;
  readonly apiKey: { readonly prefix: string };
}

/** A path without the secrets that it may hold. */
export type MaskPath = (path: string) => string;

/** Gives a request its id, and writes one line when its reply is out or its connection is gone. */
export function logRequest(
  { pino }: AppLogger,
  maskPath: MaskPath,
  request: Request & { caller?: LoggedCaller },
  response: Response,
): void {
  const begun = Date.now();
  const id = idOf(request);
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
        userId: caller?.id,
        apiKeyPrefix: caller?.apiKey.prefix,
        ms: Date.now() - begun,
      },
      'request',
    );
  });
  // A reply that breaks off is told by the line above; without a listener it would end the process.
  response.on('error', ignore);
}

function ignore(): void {}

function idOf({ headers }: Request): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && TAKEN_OVER.test(given) ? given : randomUUID();
}

/** Without query, which may hold search texts and signatures. */
export function loggedPath(url: string, maskPath: MaskPath): string {
  return maskPath(url.split('?')[0] ?? '');
}
