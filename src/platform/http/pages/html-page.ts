import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Eta } from 'eta';
import type { Request, Response } from 'express';
import { PROJECT_ROOT } from '../../../lib/project-root.js';
import type { AppLogger } from '../../logging/app-logger.js';
import { ErrorFilter } from '../replies/error.filter.js';
import { languageOf, type PageLanguage } from './page-language.js';

const TEMPLATES = new Eta({ views: join(PROJECT_ROOT, 'web'), cache: true });

/** The data of a template of `web`, besides the `nonce` of its scripts and styles. The template escapes text. */
export type PageData = Readonly<Record<string, unknown>> & {
  /** To whom the page names itself as the one that sent a request; default: nobody. */
  readonly referrer?: 'same-origin';
};

/** A text of a page as HTML, with `{name}` replaced by a name that others chose, whose direction is its own. */
export function withNames(text: string, names: Readonly<Record<string, string>>): string {
  const { escapeFunction: escape } = TEMPLATES.config;
  return escape(text).replace(/\{(\w+)\}/g, (_, name: string) => `<bdi>${escape(names[name])}</bdi>`);
}

/** What a page may do besides running its own scripts and styles. */
export interface PageRights {
  /** Directives of its policy, about what it loads and where it connects. */
  readonly loads: readonly string[];
  /** The only sites that may frame it, with a space between them. */
  readonly framedBy?: string;
  /** Where its forms may lead besides this service: an origin, or a scheme with its colon. */
  readonly formsLeadTo?: string;
}

/** Sends a page that is not stored, indexed or referred to elsewhere. */
export function sendHtmlPage(
  response: Response,
  status: number,
  template: string,
  data: PageData,
  { loads, framedBy = '', formsLeadTo = '' }: PageRights,
): void {
  const nonce = randomBytes(16).toString('base64');
  const page = Buffer.from(TEMPLATES.render(template, { ...data, nonce }));
  const policy = [
    `default-src 'none'`,
    // Imports inherit the nonce of the importing module.
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    ...loads,
    `base-uri 'none'`,
    `form-action 'self' ${formsLeadTo}`.trim(),
    `frame-ancestors ${framedBy || "'none'"}`,
  ];
  response.set({
    'Content-Security-Policy': policy.join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': data.referrer ?? 'no-referrer',
    'X-Robots-Tag': 'noindex',
  });
  // Which cannot list sites.
  if (framedBy) response.removeHeader('X-Frame-Options');
  else response.set('X-Frame-Options', 'DENY');
  // Not `send`, which would hash a page that must not be stored.
  response.status(status).type('html').set('Content-Length', String(page.length)).end(page);
}

/** A page with only a message. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

/** What errors of a page say, by status; `otherwise`: any other. `link`: where all of them lead. */
export interface Notices {
  readonly byStatus: Readonly<Record<number, Notice>>;
  readonly otherwise: string;
  readonly link?: { readonly path: string; readonly label: string };
}

const COMMON: Readonly<
  Record<PageLanguage, Readonly<Record<number, Notice>> & { readonly invalid: string }>
> = {
  en: {
    429: { title: 'Too many requests', text: 'Please wait a minute, and then try again.' },
    500: { title: 'Something went wrong', text: 'The problem is on our end. Please try again later.' },
    503: { title: 'Temporarily unavailable', text: 'Please try again in a minute.' },
    invalid: 'Invalid request',
  },
  de: {
    429: {
      title: 'Zu viele Anfragen',
      text: 'Bitte warten Sie eine Minute und versuchen Sie es dann erneut.',
    },
    500: {
      title: 'Etwas ist schiefgegangen',
      text: 'Das Problem liegt bei uns. Bitte versuchen Sie es später erneut.',
    },
    503: { title: 'Zurzeit nicht verfügbar', text: 'Bitte versuchen Sie es in einer Minute erneut.' },
    invalid: 'Ungültige Anfrage',
  },
};

/** Renders errors of pages for people, in their language. They are logged like all others. */
export abstract class PageFilter implements ExceptionFilter {
  private readonly errors: ErrorFilter;

  protected constructor(
    private readonly send: (response: Response, status: number, notice: Notice & PageData) => void,
    logger: AppLogger,
    private readonly notices: Readonly<Record<PageLanguage, Notices>>,
  ) {
    this.errors = new ErrorFilter(logger);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const language = languageOf(host.switchToHttp().getRequest<Request>());
    const { byStatus, otherwise, link } = this.notices[language];
    const common = COMMON[language];
    this.errors.reply(thrown, host, ({ status }, response) => {
      const notice = byStatus[status] ?? common[status] ?? { title: common.invalid, text: otherwise };
      this.send(response, status, { ...notice, link, language });
    });
  }
}
