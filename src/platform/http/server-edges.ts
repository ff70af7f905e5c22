import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { PlatformError } from '../errors/platform-error.js';
import { errorBody, type ErrorFilter } from './error.filter.js';

/**
 * The edges of the server, where Node and Express would answer in their own way: everything gets the envelope and a
 * request id.
 */
export function answerEdges(server: Server): void {
  answerClientErrors(server);
  // RFC 9110, 10.1.1: an expectation one does not know may be ignored.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Asked in `everyRequest` instead. Read at each connection, though the types have it for `createServer` only.
  Object.assign(server, { requireHostHeader: false });
}

/** Addresses that no route has; Nest sees to those below its prefix only. */
export const answerUnknown: RequestHandler = (_request, _response, next) =>
  next(new PlatformError('NOT_FOUND'));

/** Errors of what runs outside Nest's routes, answered and logged as those inside. */
export const answerError =
  (filter: ErrorFilter): ErrorRequestHandler =>
  (thrown, request, response, _next) =>
    filter.answer(thrown, request, response);

/** What is not even HTTP, or does not arrive in time. */
function answerClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const answer = toError(error.code);
    const body = JSON.stringify(errorBody(answer));
    socket.end(
      `HTTP/1.1 ${answer.status} ${answer.status === 408 ? 'Request Timeout' : 'Bad Request'}\r\n` +
        'Content-Type: application/json; charset=utf-8\r\n' +
        `X-Request-Id: ${randomUUID()}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n` +
        `Connection: close\r\n\r\n${body}`,
    );
  });
}

function toError(code: string | undefined): PlatformError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new PlatformError('REQUEST_TIMEOUT');
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new PlatformError(
      'VALIDATION_ERROR',
      'The address and headers of the request are larger than 16 KB.',
    );
  }
  return new PlatformError('VALIDATION_ERROR', 'The request is not valid HTTP.');
}
