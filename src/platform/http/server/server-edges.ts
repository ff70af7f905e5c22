import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { PlatformError } from '../../errors/platform-error.js';
import { errorBody, type ErrorFilter } from '../replies/error.filter.js';
import type { KnownRoutes } from './known-routes.js';
import type { PublicUrl } from './public-url.js';
import type { RequestLimits } from '../requests/request-limits.js';
import { sizeText } from '../../../lib/amounts.js';

/** Gives replies that Node and Express would otherwise send themselves the error envelope and a request id. */
export function answerEdges(server: Server, publicUrl: PublicUrl): void {
  answerClientErrors(server, publicUrl);
  // RFC 9110, 10.1.1: an unknown expectation may be ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Checked in `everyRequest` instead. Node reads it for each connection, though the types only declare it for
  // `createServer`.
  Object.assign(server, { requireHostHeader: false });
}

/**
 * Requests that match no route: an unknown URL is 404, with the nearest known one and the URL of the documentation, if
 * it is served; a known one with another method is 405, and OPTIONS is answered for every known one. Whether a URL is
 * known depends on its form alone, not on what exists, so no key is needed, and requests are counted by address.
 */
export const answerUnknown =
  (limits: RequestLimits, routes: KnownRoutes, docs: string | null): RequestHandler =>
  async (request, response) => {
    await limits.countAddress('anonymous', request, response);
    const methods = routes.methodsOf(request.path);
    if (methods.length === 0) throw new PlatformError('NOT_FOUND', explainUnknown(request, routes, docs));
    const allowed = methods.join(', ');
    response.setHeader('Allow', allowed);
    if (request.method !== 'OPTIONS')
      throw new PlatformError(
        'METHOD_NOT_ALLOWED',
        `This URL does not accept ${request.method}, only ${allowed}.`,
      );
    response.status(204).end();
  };

/** Repeats nothing of the URL, which may be hostile. */
function explainUnknown({ method, path }: Request, routes: KnownRoutes, docs: string | null): string {
  const nearest = routes.nearest(method === 'HEAD' ? 'GET' : method, path);
  const did = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return `Nothing was found at this URL.${did}${docs === null ? '' : ` All operations are described at ${docs}.`}`;
}

/** Counts requests to handlers outside Nest's routes. */
export const countAnonymous =
  (limits: RequestLimits): RequestHandler =>
  async (request, response, next) => {
    await limits.countAddress('anonymous', request, response);
    next();
  };

/** Errors outside Nest's routes, answered and logged like those inside. */
export const answerError =
  (filter: ErrorFilter): ErrorRequestHandler =>
  (thrown, request, response, _next) =>
    filter.answer(thrown, request, response);

const UNENCODED =
  'The URL contains a character that has to be percent-encoded: send a blank as %20, and characters that are not ASCII as their bytes in UTF-8, such as %C3%BC for ü; with curl: -G --data-urlencode "search=grün"';

/** Requests that are not valid HTTP or do not arrive in time. */
function answerClientErrors(server: Server, publicUrl: PublicUrl): void {
  const responses = new WeakMap<Socket, ServerResponse>();
  server.prependListener('request', ({ socket }, response) => void responses.set(socket, response));
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const earlier = responses.get(socket);
    // The reply would end up inside the response to an earlier request.
    const isAnswering = earlier && !earlier.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) {
      socket.destroy();
      return;
    }
    const answer = toError(error);
    endWithReply(socket, answer, publicUrl.helpWith(answer.code));
    // Otherwise the rest of a late request would still be handled.
    if (answer.code === 'REQUEST_TIMEOUT') socket.destroySoon();
  });
}

/** An error of Node's parser, which rejects a request before there is a URL. */
interface ParserError extends NodeJS.ErrnoException {
  readonly reason?: string;
}

function toError({ code, reason }: ParserError): PlatformError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new PlatformError('REQUEST_TIMEOUT');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new PlatformError(
      'VALIDATION_ERROR',
      `The request URL and headers are larger than ${sizeText(maxHeaderSize)}.`,
    );
  // What follows a blank would have to be the version of HTTP.
  if (code === 'HPE_INVALID_URL' || reason?.startsWith('Expected HTTP/'))
    return new PlatformError('VALIDATION_ERROR', UNENCODED);
  return new PlatformError('VALIDATION_ERROR', 'The request is not valid HTTP.');
}

/**
 * Answers on a connection without a request, and closes the service's side of it. What it says concerns nobody's data,
 * so scripts of any site may read it: a player on another site should learn that it is to try again later.
 */
function endWithReply(socket: Socket, error: PlatformError, help: string | undefined): void {
  const body = JSON.stringify(errorBody(error));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
    'X-Request-Id': randomUUID(),
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Link,Retry-After,X-Request-Id',
    ...(help ? { Link: help } : {}),
    ...error.headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`);
}
