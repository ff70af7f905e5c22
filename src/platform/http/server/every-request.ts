import type { Request, RequestHandler } from 'express';
import { PlatformError } from '../../errors/platform-error.js';
import type { AppLogger } from '../../logging/app-logger.js';
import { hasBody } from '../bodies/body.js';
import { isTracing } from '../../telemetry/spans.js';
import { traceRequest } from './trace-request.js';
import { logRequest, type MaskPath } from './request-log.js';
import { printable } from '../../../lib/text.js';
import { limitUnreadBody } from './server-limits.js';
import { MAX_HEADERS } from '../../http-limits.js';

const API = /^\/api(\/|$)/i;
const PERCENT_ENCODED = /(?:%[\da-f]{2})+/gi;

/** What Helmet sends, as data, without the headers about TLS, which the proxy sends, base URLs and frames. */
const OF_PAGES = Object.entries({
  'Content-Security-Policy':
    "default-src 'self';base-uri 'none';font-src 'self' https: data:;form-action 'self';frame-ancestors 'none';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
});
/** JSON is never rendered: the policy forbids everything, and headers for legacy browsers are omitted. */
const OF_API = Object.entries({
  'Content-Security-Policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
});

/** Runs first for every request; a single middleware, as each one costs Express about as much as all of this work. */
export function everyRequest(logger: AppLogger, maskPath: MaskPath): RequestHandler {
  const handle: RequestHandler = (request, response, next) => {
    logRequest(logger, maskPath, request, response);
    if (hasBody(request)) limitUnreadBody(request, response);
    const isApi = API.test(request.path);
    for (const [name, value] of isApi ? OF_API : OF_PAGES) response.setHeader(name, value);
    if (isApi) requireUtf8Url(request);
    requireHost(request);
    requireFewHeaders(request);
    next();
  };
  return isTracing()
    ? (request, response, next) => traceRequest(request, response, () => handle(request, response, next))
    : handle;
}

/**
 * Bytes in another encoding would be replaced in a query, which then finds nothing, and be refused in a path without a
 * reason. A `%` without digits stands for itself in a query; a path that contains one is left to Express.
 */
function requireUtf8Url({ url }: Request): void {
  if (!url.includes('%')) return;
  for (const [bytes] of url.matchAll(PERCENT_ENCODED))
    try {
      decodeURIComponent(bytes);
    } catch {
      throw new PlatformError(
        'VALIDATION_ERROR',
        `The URL contains ${printable(bytes)}, which is not text in UTF-8; encode characters as their bytes in UTF-8, such as %C3%BC for ü`,
      );
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
