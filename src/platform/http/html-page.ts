import type { Response } from 'express';

/** Sends a page of HTML that is not stored, indexed or referred to, and may do only what the policy allows. */
export function sendHtmlPage(
  response: Response,
  status: number,
  html: string,
  policy: readonly string[],
): void {
  const page = Buffer.from(html);
  response.set({
    'Content-Security-Policy': policy.join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  });
  // Not `send`, which would hash a page that must not be stored.
  response.status(status).type('html').set('Content-Length', String(page.length)).end(page);
}
