import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { CardPages } from '../../../platform/http/pages/card-pages.js';
import { PageFilter } from '../../../platform/http/pages/html-page.js';
import { languageOf } from '../../../platform/http/pages/page-language.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { METRICS } from '../../../platform/telemetry/metrics.js';
import { SecurityEventsService } from '../../audit/security-events.service.js';
import { NOTICES, REFUSALS, TEXTS } from './provider-pages.wording.js';
import { SignInRefusal } from './sign-in-refusal.js';

const TEMPLATE = 'join/notice';

/** Tells people what went wrong. */
@Catch()
export class ProviderPagesFilter extends PageFilter {
  constructor(pages: CardPages, logger: AppLogger) {
    super((response, status, notice) => pages.send(response, status, TEMPLATE, notice), logger, NOTICES);
  }
}

/** Tells people why they cannot sign in, and whoever operates the service how often that happens. */
@Catch(SignInRefusal)
export class SignInRefusalFilter implements ExceptionFilter<SignInRefusal> {
  constructor(
    private readonly pages: CardPages,
    private readonly publicUrl: PublicUrl,
    private readonly events: SecurityEventsService,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'identityProviders'>,
  ) {}

  catch({ code, reason }: SignInRefusal, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const status = REFUSALS[code];
    const name = String(request.params['provider']);
    request.errorCode = code;
    METRICS.signInsRefused.inc({ code });
    if (status === 403) this.events.providerSignInRefused(name, originOf(request), code);
    if (reason !== undefined)
      this.logger.warn({ requestId: request.id, provider: name, reason }, `sign-in with a provider: ${code}`);
    const label = this.settings.identityProviders.find((provider) => provider.name === name)?.label ?? name;
    const language = languageOf(request);
    const { title, back, request: about, refusals } = TEXTS[language];
    this.pages.send(response, status, TEMPLATE, {
      language,
      title,
      text: refusals[code].replace('{provider}', () => label),
      link: { href: `${this.publicUrl.path}/sign-in`, label: back },
      request: { label: about, id: request.id },
    });
  }
}
