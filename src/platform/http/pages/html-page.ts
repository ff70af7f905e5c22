import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Eta } from 'eta';
import type { Response } from 'express';
import { PROJECT_ROOT } from '../../../lib/project-root.js';

const TEMPLATES = new Eta({ views: join(PROJECT_ROOT, 'web'), cache: true });

/** The data of a template of `web`, besides the `nonce` of its scripts and styles. The template escapes text. */
export type PageData = Readonly<Record<string, unknown>>;

/** Sends a page that is not stored, indexed or referred to, and may do only what the policy for its nonce allows. */
export function sendHtmlPage(
  response: Response,
  status: number,
  template: string,
  data: PageData,
  policy: (nonce: string) => readonly string[],
): void {
  const nonce = randomBytes(16).toString('base64');
  const page = Buffer.from(TEMPLATES.render(template, { ...data, nonce }));
  response.set({
    'Content-Security-Policy': policy(nonce).join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Robots-Tag': 'noindex',
  });
  // Not `send`, which would hash a page that must not be stored.
  response.status(status).type('html').set('Content-Length', String(page.length)).end(page);
}
