import { Catch, Injectable, type ExceptionFilter, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { AppLogger } from '../../logging/app-logger.js';
import { PublicUrl } from '../server/public-url.js';
import { PageFilter, sendHtmlPage, type Notices, type PageData } from './html-page.js';
import { PageAssets } from './page-assets.js';
import { languageOf, type PageLanguage } from './page-language.js';

/** What a page of people's own may do besides showing itself. */
interface PageNeeds {
  /** Sends requests to this service by script. */
  readonly connects?: boolean;
  /** Of the only site that may frame it. */
  readonly framedBy?: string;
  /** Where its forms may lead besides this service: an origin, or a scheme with its colon. */
  readonly formsLeadTo?: string;
}

/**
 * Renders templates of `web` for people who join, sign in and look after their account; nothing else may frame them.
 * Templates also get the language of the page, and the `path` below which all pages are.
 */
@Injectable()
export class CardPages {
  constructor(
    private readonly assets: PageAssets,
    private readonly publicUrl: PublicUrl,
  ) {}

  send(
    response: Response,
    status: number,
    template: string,
    view: PageData,
    { connects = false, framedBy, formsLeadTo = '' }: PageNeeds = {},
  ): void {
    if (framedBy === undefined) response.set('X-Frame-Options', 'DENY');
    // Which can name no other site.
    else response.removeHeader('X-Frame-Options');
    // Not `no-referrer`, with which browsers do not say where the forms of a page come from.
    const referrer = 'same-origin' as const;
    const { path } = this.publicUrl;
    const language = languageOf(response.req);
    const data = { language, path, ...view, referrer, assets: this.assets.addresses() };
    sendHtmlPage(response, status, template, data, (nonce) => [
      `default-src 'none'`,
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      `img-src data:`,
      ...(connects ? [`connect-src 'self'`] : []),
      `base-uri 'none'`,
      `form-action 'self' ${formsLeadTo}`.trim(),
      `frame-ancestors ${framedBy ?? "'none'"}`,
    ]);
  }
}

/** Returns the filter that renders errors of such pages with these texts. */
export function cardPageFilter(notices: Readonly<Record<PageLanguage, Notices>>): Type<ExceptionFilter> {
  @Catch()
  class CardPageFilter extends PageFilter {
    constructor(pages: CardPages, logger: AppLogger) {
      super(
        (response, status, notice) => pages.send(response, status, 'share/notice', notice),
        logger,
        notices,
      );
    }
  }
  return CardPageFilter;
}
