import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../errors/domain-error.js';

/** What is not even HTTP, or does not arrive in time, gets its answer in the envelope too. */
export function answerClientErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const answer = toError(error.code);
    const body = JSON.stringify({ error: { code: answer.code, message: answer.message } });
    socket.end(
      `HTTP/1.1 ${answer.status} ${answer.status === 408 ? 'Request Timeout' : 'Bad Request'}\r\n` +
        'Content-Type: application/json; charset=utf-8\r\n' +
        `X-Request-Id: ${randomUUID()}\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n` +
        `Connection: close\r\n\r\n${body}`,
    );
  });
}

function toError(code: string | undefined): DomainError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new DomainError('REQUEST_TIMEOUT');
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new DomainError(
      'VALIDATION_ERROR',
      'The address and headers of the request are larger than 16 KB.',
    );
  }
  return new DomainError('VALIDATION_ERROR', 'The request is not valid HTTP.');
}
