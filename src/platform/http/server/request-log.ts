import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { AppLogger } from '../../logging/app-logger.js';
import { noteDuration } from '../../telemetry/slowest.js';
import { clientAddress } from '../requests/client-address.js';
import { noteRequest } from '../../telemetry/metrics.js';
import { REQUEST_ID } from '../../http-limits.js';

const JSON_TYPE = 'application/json';
const VALID_ID = new RegExp(`^[A-Za-z0-9._-]{${REQUEST_ID.min},${REQUEST_ID.max}}$`);

declare global {
  namespace Express {
    interface Request {
      /** Returned as `X-Request-Id`. */
      id: string;
      /** Code of the error response, for the log; a status such as 403 has several. */
      errorCode?: string;
      /** Name of the operation, as in the API document; unset for URLs that have none. */
      operation?: string;
      /** It was made with a share link. */
      withShareLink?: true;
      /** The trace that the request is part of, if traces are exported. */
      traceId?: string;
    }
  }
}

/** What the log needs of the caller: the id, and of the API key only its prefix. */
export interface LoggedCaller {
  readonly id: string;
  /** Null for a person. */
  readonly serviceOf: string | null;
  readonly apiKey: { readonly prefix: string };
  /** Null with an API key. */
  readonly session: object | null;
}

/** The status, in metrics, of a request whose client left before the reply. */
const CLIENT_GONE = 499;
/** The operation, in metrics, of URLs that have none. */
const UNKNOWN = 'unknown';

/** Removes secrets from a path. */
export type MaskPath = (path: string) => string;

/** Assigns a request its id, and logs one line when the response has been sent or the connection is closed. */
export function logRequest(
  { pino }: AppLogger,
  maskPath: MaskPath,
  request: Request & { caller?: LoggedCaller },
  response: Response,
): void {
  const begun = performance.now();
  const id = idOf(request);
  // Unknown once the connection is closed.
  const address = clientAddress(request);
  request.id = id;
  response.setHeader('X-Request-Id', id);
  response.once('close', () => {
    const { method, originalUrl, caller, errorCode, traceId } = request;
    const ms = performance.now() - begun;
    const status = response.headersSent ? response.statusCode : CLIENT_GONE;
    const operation = request.operation ?? UNKNOWN;
    noteRequest({ operation, status, caller: kindOf(request), seconds: ms / 1_000 });
    const level = originalUrl.startsWith('/health/') ? 'debug' : 'info';
    if (level === 'info' && isOwnPace(request, response))
      noteDuration('operation', `${method} ${request.route.path}`, ms);
    pino[level](
      {
        requestId: id,
        method,
        path: loggedPath(originalUrl, maskPath),
        status: response.statusCode,
        errorCode,
        traceId,
        address,
        userId: caller?.id,
        apiKeyPrefix: caller?.apiKey.prefix,
        ms: Math.round(ms),
      },
      'request',
    );
  });
  // An interrupted response is logged above; without a listener, its error would end the process.
  response.on('error', ignore);
}

function ignore(): void {}

/** What authenticated a request, as metrics and traces name it. */
export function kindOf({ caller, withShareLink }: Request & { caller?: LoggedCaller }): string {
  if (caller?.session) return 'session';
  if (caller) return caller.serviceOf === null ? 'key' : 'service_account';
  return withShareLink ? 'share_link' : 'anonymous';
}

/** Whether the service decided how long it took, and not a client that sends a file, plays media or follows a stream. */
function isOwnPace({ route, headers }: Request, response: Response): boolean {
  const type = headers['content-type'];
  if (route === undefined || (type !== undefined && !type.startsWith(JSON_TYPE))) return false;
  const sent = response.getHeader('content-type');
  return typeof sent === 'string' && sent.startsWith(JSON_TYPE);
}

function idOf({ headers }: Request): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && VALID_ID.test(given) ? given : randomUUID();
}

/** Without the query, which may contain search terms and signatures. */
export const loggedPath = (url: string, maskPath: MaskPath): string => maskPath(url.split('?')[0] ?? '');
