import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import type { AppLogger } from '../logging/app-logger.js';

const TAKEN_OVER = /^[A-Za-z0-9._-]{1,128}$/;

/** Who asked, as far as a log may say: never more of the key than its prefix. */
export interface LoggedCaller {
  readonly userId: string;
  readonly apiKeyPrefix: string;
}

/** Gives every request its id, sends it back as `X-Request-Id`, and writes one line when the reply is out. */
export function requestLog(logger: AppLogger): RequestHandler {
  return pinoHttp({
    logger: logger.pino,
    genReqId: (request, response) => {
      const given = request.headers['x-request-id'];
      const id = typeof given === 'string' && TAKEN_OVER.test(given) ? given : randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    quietReqLogger: true,
    customAttributeKeys: { responseTime: 'ms', reqId: 'requestId' },
    customLogLevel: (request) => (request.url?.startsWith('/health/') ? 'debug' : 'info'),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
    serializers: { req: () => undefined, res: () => undefined, err: () => undefined },
    customProps: (request: IncomingMessage & { caller?: { log: LoggedCaller } }, response: ServerResponse) =>
      response.writableEnded || response.destroyed
        ? {
            method: request.method,
            path: loggedPath((request as { originalUrl?: string }).originalUrl ?? request.url ?? ''),
            status: response.statusCode,
            ...request.caller?.log,
          }
        : {},
  });
}

/** Without query (search texts, signatures), without the token of a share link and the signature of a playlist. */
export function loggedPath(url: string): string {
  return (url.split('?')[0] ?? '')
    .replace(/\/(s|shares)\/+[^/]+/gi, '/$1/:token')
    .replace(/(\/media\/[^/]*\/hls)\/[^/]*/gi, '$1/:token');
}
