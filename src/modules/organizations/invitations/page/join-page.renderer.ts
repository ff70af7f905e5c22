import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { SERVICE_NAME } from '../../../../contract/api-document.js';
import { sendHtmlPage, type PageData } from '../../../../platform/http/pages/html-page.js';
import { PageAssets } from '../../../../platform/http/pages/page-assets.js';

/** Renders the pages of an invitation, templates of `web/join`, in the style of share pages; nothing may frame them. */
@Injectable()
export class JoinPageRenderer {
  constructor(private readonly assets: PageAssets) {}

  send(response: Response, status: number, name: 'invitation' | 'joined' | 'notice', view: PageData): void {
    response.set('X-Frame-Options', 'DENY');
    const data = { ...view, site: SERVICE_NAME, assets: this.assets.addresses() };
    sendHtmlPage(response, status, `join/${name}`, data, (nonce) => [
      `default-src 'none'`,
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      `img-src data:`,
      `base-uri 'none'`,
      `form-action 'self'`,
      `frame-ancestors 'none'`,
    ]);
  }
}
