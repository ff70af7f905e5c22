import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LEAST_SCOPES } from '../../contract/scopes.js';
import { CardPages } from '../../platform/http/pages/card-pages.js';
import { languageOf } from '../../platform/http/pages/page-language.js';
import { clientAddress } from '../../platform/http/requests/client-address.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { CONSENT_WORDING } from './consent/consent.wording.js';
import { pageOf } from './oauth-pages.js';
import { OAuthServer, OAUTH_PATHS } from './oauth-server.service.js';

/** Has `oidc-provider` answer requests, with the pages of this service. */
@Injectable()
export class OAuthRequests {
  constructor(
    private readonly server: OAuthServer,
    private readonly pages: CardPages,
    private readonly publicUrl: PublicUrl,
  ) {}

  async answer(request: Request, response: Response): Promise<void> {
    const provider = await this.server.get();
    const { protocol, host } = new URL(this.publicUrl.base);
    // Whichever name a request comes under, the service has one.
    Object.assign(request.headers, {
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-host': host,
      'x-forwarded-for': clientAddress(request),
    });
    const asked = new URL(request.url, this.publicUrl.base);
    const userCode = asked.searchParams.get('user_code') ?? '';
    // Shown to be confirmed, not sent on by a script.
    asked.searchParams.delete('user_code');
    // An address that nobody needs.
    asked.searchParams.delete('login_hint');
    if (asked.pathname === OAUTH_PATHS.authorization && !asked.searchParams.get('scope'))
      asked.searchParams.set('scope', LEAST_SCOPES.join(' '));
    request.url = asked.pathname + asked.search;
    await provider.callback()(request, response);
    const page = pageOf(request);
    if (!page) return;
    const words = CONSENT_WORDING[languageOf(request)];
    const status = page.name === 'refused' || (page.name === 'device' && page.failed) ? 400 : 200;
    this.pages.send(response, status, `oauth/${page.name}`, { ...page, words, userCode });
  }
}
