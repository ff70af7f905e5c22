import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';
import { DomainError } from '../errors/domain-error.js';
import type { AppLogger } from '../logging/app-logger.js';
import { logRequest } from './request-log.js';

const API = /^\/api(\/|$)/i;

/** What happens to every request before anything else; in one step, as each costs Express about as much as all of this. */
export function everyRequest(logger: AppLogger): RequestHandler {
  const headers = securityHeaders();
  return (request, response, next) => {
    logRequest(logger, request, response);
    for (const [name, value] of headers) response.setHeader(name, value);
    if (API.test(request.path)) response.setHeader('Cache-Control', 'no-store');
    requireHost(request);
    next();
  };
}

/** What helmet sends: the same with every reply, so it is asked once. */
function securityHeaders(): readonly (readonly [name: string, value: string])[] {
  const headers: [string, string][] = [];
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return response;
  };
  const protect = helmet({
    contentSecurityPolicy: { directives: { 'upgrade-insecure-requests': null } },
    // Whether there is TLS in front is known to the proxy that ends it.
    strictTransportSecurity: false,
  });
  protect(request, response, () => {});
  return headers;
}

/** Not left to Node, which would answer in its own way. */
function requireHost({ httpVersion, headers }: Request): void {
  if (httpVersion !== '1.1' || headers.host !== undefined) return;
  throw new DomainError('VALIDATION_ERROR', 'Host: HTTP/1.1 requires this header');
}
