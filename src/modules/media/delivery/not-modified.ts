import type { Response } from 'express';

/**
 * Whether the client already has this, judged by the reply's `ETag` alone, before any file or store is accessed.
 * Conditions that depend on the object are left to the code that sends it: those with precedence (RFC 9110, 13.2.2),
 * `*`, and times.
 */
export function matchesEtag({ req }: Response): boolean {
  const { 'if-match': match, 'if-unmodified-since': since, 'if-none-match': noneMatch } = req.headers;
  if (match !== undefined || since !== undefined) return false;
  return noneMatch !== undefined && noneMatch !== '*' && req.fresh;
}

/** 304 with the headers that a cache refreshes, and without those that describe the content. */
export function sendNotModified(response: Response): void {
  response.status(304).removeHeader('Content-Type');
  response.end();
}
