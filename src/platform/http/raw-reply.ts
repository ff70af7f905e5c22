import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { PlatformError } from '../errors/platform-error.js';
import { errorBody } from './error.filter.js';

/**
 * Answers on a connection without a request, and closes the service's side of it. What it says concerns nobody's data, so scripts
 * of any site may read it: a player on another site should learn that it is to try again later.
 */
export function endWithReply(socket: Socket, error: PlatformError): void {
  const body = JSON.stringify(errorBody(error));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
    'X-Request-Id': randomUUID(),
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Retry-After,X-Request-Id',
    ...error.headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`);
}
