import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { languageOf } from '../../platform/http/pages/page-language.js';
import { sendHtmlPage } from '../../platform/http/pages/html-page.js';
import { csrfToken } from '../../platform/http/requests/session-cookie.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { LibraryAssets } from './library-assets.js';

/** Sends the page of the library, or leads to the page for signing in. */
@Injectable()
export class LibraryPageService {
  constructor(
    private readonly signIns: SignInService,
    private readonly assets: LibraryAssets,
    private readonly publicUrl: PublicUrl,
  ) {}

  async open(request: Request, response: Response): Promise<void> {
    const { path } = this.publicUrl;
    if (!(await this.signIns.callerOf(request))) {
      response.redirect(303, `${path}/sign-in?to=${encodeURIComponent(request.originalUrl)}`);
      return;
    }
    const language = languageOf(request);
    const assets = this.assets.addresses();
    const facts = { path, language, csrf: csrfToken(request.credential!), player: assets.player };
    const page = { language, facts, assets, referrer: 'same-origin' as const };
    const loads = [`img-src 'self' data: blob:`, `media-src 'self' blob:`, `connect-src 'self'`];
    sendHtmlPage(response, 200, 'app/page', page, { loads });
  }
}
