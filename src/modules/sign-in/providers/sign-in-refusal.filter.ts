import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { CardPages } from '../../../platform/http/pages/card-pages.js';
import { languageOf } from '../../../platform/http/pages/page-language.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { METRICS } from '../../../platform/telemetry/metrics.js';
import { SecurityEventsService } from '../../audit/security-events.service.js';
import { TEXTS } from './provider-pages.wording.js';
import { SignInRefusal, statusOf } from './sign-in-refusal.js';

/** Tells people why they cannot sign in, and operators how often that happens. */
@Catch(SignInRefusal)
export class SignInRefusalFilter implements ExceptionFilter<SignInRefusal> {
  constructor(
    private readonly pages: CardPages,
    private readonly events: SecurityEventsService,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'identityProviders'>,
  ) {}

  catch({ code, reason }: SignInRefusal, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const status = statusOf(code);
    const name = String(request.params['provider']);
    request.errorCode = code;
    METRICS.signInsRefused.inc({ code });
    if (status === 403)
      this.events.wayInRefused({ way: 'provider', provider: name }, originOf(request), code);
    if (reason !== undefined)
      this.logger.warn({ requestId: request.id, provider: name, reason }, `sign-in with a provider: ${code}`);
    const label = this.settings.identityProviders.find((provider) => provider.name === name)?.label ?? name;
    const { title, back, request: about, refusals } = TEXTS[languageOf(request)];
    this.pages.send(response, status, 'share/notice', {
      title,
      text: refusals[code].replace('{provider}', () => label),
      link: { path: '/sign-in', label: back },
      request: { label: about, id: request.id },
    });
  }
}
