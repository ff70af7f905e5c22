import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { sendHtmlPage, type PageData } from './html-page.js';
import { PageAssets } from './page-assets.js';

/** What a page of people's own may do besides showing itself. */
interface PageNeeds {
  /** Sends requests to this service by script. */
  readonly connects?: boolean;
}

/** Renders templates of `web` for people who join, sign in and look after their account; nothing may frame them. */
@Injectable()
export class CardPages {
  constructor(private readonly assets: PageAssets) {}

  send(
    response: Response,
    status: number,
    template: string,
    view: PageData,
    { connects = false }: PageNeeds = {},
  ): void {
    response.set('X-Frame-Options', 'DENY');
    // Not `no-referrer`, with which browsers do not say where the forms of a page come from.
    const referrer = 'same-origin' as const;
    const data = { language: 'en', ...view, referrer, assets: this.assets.addresses() };
    sendHtmlPage(response, status, template, data, (nonce) => [
      `default-src 'none'`,
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      `img-src data:`,
      ...(connects ? [`connect-src 'self'`] : []),
      `base-uri 'none'`,
      `form-action 'self'`,
      `frame-ancestors 'none'`,
    ]);
  }
}
