import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, RequestHandler } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { PlatformError } from '../../errors/platform-error.js';
import type { AppLogger } from '../../logging/app-logger.js';
import { hasBody } from '../bodies/body.js';
import { logRequest, type MaskPath } from './request-log.js';
import { printable } from '../../../lib/text.js';
import { limitUnreadBody } from './server-limits.js';

/** Proxies add some to the 10 to 30 of a browser. */
const MAX_HEADERS = 200;
const API = /^\/api(\/|$)/i;
const PERCENT_ENCODED = /(?:%[\da-f]{2})+/gi;

/** Runs first for every request; a single middleware, as each one costs Express about as much as all of this work. */
export function everyRequest(logger: AppLogger, maskPath: MaskPath): RequestHandler {
  const ofPages = headersOf(helmet(PAGES));
  const ofApi = [...headersOf(helmet(API_REPLIES)), ['Cache-Control', 'no-store'] as const];
  return (request, response, next) => {
    logRequest(logger, maskPath, request, response);
    if (hasBody(request)) limitUnreadBody(request, response);
    const headers = API.test(request.path) ? ofApi : ofPages;
    for (const [name, value] of headers) response.setHeader(name, value);
    if (headers === ofApi) requireUtf8Url(request);
    requireHost(request);
    requireFewHeaders(request);
    next();
  };
}

const PAGES: HelmetOptions = {
  contentSecurityPolicy: {
    directives: {
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
      'upgrade-insecure-requests': null,
    },
  },
  // Left to the proxy that terminates TLS, if there is one.
  strictTransportSecurity: false,
};

/** JSON is never rendered: the policy forbids everything, and headers for legacy browsers are omitted. */
const API_REPLIES: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  strictTransportSecurity: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

/** Helmet's headers are the same for every reply, so they are computed once. */
function headersOf(protect: ReturnType<typeof helmet>): readonly (readonly [name: string, value: string])[] {
  const headers: [string, string][] = [];
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  response.setHeader = (name, value) => {
    headers.push([name, String(value)]);
    return response;
  };
  protect(request, response, () => {});
  return headers;
}

/**
 * Bytes in another encoding would be replaced in a query, which then finds nothing, and be refused in a path without a
 * reason. A `%` without digits stands for itself in a query; a path that contains one is left to Express.
 */
function requireUtf8Url({ url }: Request): void {
  if (!url.includes('%')) return;
  for (const [bytes] of url.matchAll(PERCENT_ENCODED)) {
    try {
      decodeURIComponent(bytes);
    } catch {
      throw new PlatformError(
        'VALIDATION_ERROR',
        `The URL contains ${printable(bytes)}, which is not text in UTF-8; encode characters as their bytes in UTF-8, such as %C3%BC for ü`,
      );
    }
  }
}

/** Not left to Node, which ignores those beyond its limit without a word. */
function requireFewHeaders({ rawHeaders }: Request): void {
  // Names and values.
  if (rawHeaders.length <= 2 * MAX_HEADERS) return;
  throw new PlatformError('VALIDATION_ERROR', `The request has more than ${MAX_HEADERS} headers.`);
}

/** Not left to Node, whose reply would lack the error envelope. */
function requireHost({ httpVersion, headers }: Request): void {
  if (httpVersion !== '1.1' || headers.host !== undefined) return;
  throw new PlatformError('VALIDATION_ERROR', 'Host: HTTP/1.1 requires this header');
}
