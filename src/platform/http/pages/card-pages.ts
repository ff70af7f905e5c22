import { Catch, Injectable, type ExceptionFilter, type Type } from '@nestjs/common';
import type { Response } from 'express';
import { AppLogger } from '../../logging/app-logger.js';
import { PublicUrl } from '../server/public-url.js';
import { PageFilter, sendHtmlPage, type Notices, type PageData, type PageRights } from './html-page.js';
import { PageAssets } from './page-assets.js';
import { languageOf, type PageLanguage } from './page-language.js';

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
    { connects = false, ...rights }: Omit<PageRights, 'loads'> & { readonly connects?: boolean } = {},
  ): void {
    // Not `no-referrer`, with which browsers do not say where the forms of a page come from.
    const referrer = 'same-origin' as const;
    const { path } = this.publicUrl;
    const language = languageOf(response.req);
    const data = { language, path, ...view, referrer, assets: this.assets.addresses() };
    const loads = [`img-src data:`, ...(connects ? [`connect-src 'self'`] : [])];
    sendHtmlPage(response, status, template, data, { ...rights, loads });
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
