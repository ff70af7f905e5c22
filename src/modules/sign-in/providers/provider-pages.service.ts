import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { CardPages } from '../../../platform/http/pages/card-pages.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { TEXTS, withProvider, type RefusalCode } from './provider-pages.wording.js';

const TEMPLATE = 'sign-in/provider';

/** Sends the pages about signing in with a provider, in the language of the browser. */
@Injectable()
export class ProviderPagesService {
  constructor(
    private readonly pages: CardPages,
    private readonly publicUrl: PublicUrl,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'identityProviders'>,
  ) {}

  /** Says why somebody cannot sign in. */
  refuse(
    request: Request,
    response: Response,
    { code, status }: { readonly code: RefusalCode; readonly status: number },
  ): void {
    const language = languageOf(request);
    const { refusals, back, request: label } = TEXTS[language];
    const { name, label: shown } = this.settings.identityProviders.find(
      (provider) => provider.name === request.params['provider'],
    ) ?? { name: '', label: '' };
    this.pages.send(response, status, TEMPLATE, {
      language,
      ...withProvider(refusals[code], shown || name),
      back: { text: back, address: `${this.publicUrl.path}/sign-in` },
      request: { text: label, id: request.id },
    });
  }

  /** Says, in a frame of the provider, that somebody has been signed out. */
  signedOut(request: Request, response: Response, framedBy: string): void {
    const language = languageOf(request);
    this.pages.send(response, 200, TEMPLATE, { language, ...TEXTS[language].signedOut }, { framedBy });
  }
}

const languageOf = (request: Request): 'en' | 'de' =>
  request.acceptsLanguages(['en', 'de']) === 'de' ? 'de' : 'en';
