import type { Request, Response } from 'express';

/**
 * Whether the client has this already, decided by the `ETag` of the reply alone, before any file or store is asked. What
 * only the object can tell is left to whoever sends it: conditions that come before (RFC 9110, 13.2.2), `*`, and times.
 */
export function isKnownByTag(request: Request): boolean {
  const { 'if-match': match, 'if-unmodified-since': since, 'if-none-match': noneMatch } = request.headers;
  if (match !== undefined || since !== undefined) return false;
  return noneMatch !== undefined && noneMatch !== '*' && request.fresh;
}

/** 304, with the headers that a cache renews and nothing of the content. */
export function sendNotModified(response: Response): void {
  response.status(304).removeHeader('Content-Type');
  response.end();
}
