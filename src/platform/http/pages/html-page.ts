import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Eta } from 'eta';
import type { Response } from 'express';
import { PROJECT_ROOT } from '../../../lib/project-root.js';
import type { AppLogger } from '../../logging/app-logger.js';
import { ErrorFilter } from '../replies/error.filter.js';

const TEMPLATES = new Eta({ views: join(PROJECT_ROOT, 'web'), cache: true });

/** The data of a template of `web`, besides the `nonce` of its scripts and styles. The template escapes text. */
export type PageData = Readonly<Record<string, unknown>> & {
  /** To whom the page names itself as the one that sent a request; default: nobody. */
  readonly referrer?: 'same-origin';
};

/** Sends a page that is not stored, indexed or referred to elsewhere, and may do only what the policy for its nonce allows. */
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
    'Referrer-Policy': data.referrer ?? 'no-referrer',
    'X-Robots-Tag': 'noindex',
  });
  // Not `send`, which would hash a page that must not be stored.
  response.status(status).type('html').set('Content-Length', String(page.length)).end(page);
}

/** A page with only a message. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

const COMMON: Readonly<Record<number, Notice>> = {
  429: { title: 'Too many requests', text: 'Please wait a minute, and then try again.' },
  500: { title: 'Something went wrong', text: 'The problem is on our end. Please try again later.' },
  503: { title: 'Temporarily unavailable', text: 'Please try again in a minute.' },
};

/** Renders errors of pages for people, by status; `otherwise`: for any other. They are logged like all others. */
export abstract class PageFilter implements ExceptionFilter {
  private readonly errors: ErrorFilter;

  protected constructor(
    private readonly send: (response: Response, status: number, notice: Notice) => void,
    logger: AppLogger,
    private readonly notices: Readonly<Record<number, Notice>>,
    private readonly otherwise: string,
  ) {
    this.errors = new ErrorFilter(logger);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const other = { title: 'Invalid request', text: this.otherwise };
    this.errors.reply(thrown, host, ({ status }, response) => {
      const notice = this.notices[status] ?? COMMON[status] ?? other;
      this.send(response, status, notice);
    });
  }
}
