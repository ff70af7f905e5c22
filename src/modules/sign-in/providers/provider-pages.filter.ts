import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { CardPages } from '../../../platform/http/pages/card-pages.js';
import { ErrorFilter } from '../../../platform/http/replies/error.filter.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { METRICS } from '../../../platform/telemetry/metrics.js';
import { SecurityEventsService } from '../../audit/security-events.service.js';
import { languageOf, REFUSALS, TEXTS } from './provider-pages.wording.js';
import { SignInRefusal } from './sign-in-refusal.js';

/** Tells people why they cannot sign in, and whoever operates the service how often that happens. */
@Catch()
export class ProviderPagesFilter implements ExceptionFilter {
  private readonly errors: ErrorFilter;

  constructor(
    private readonly pages: CardPages,
    private readonly publicUrl: PublicUrl,
    private readonly events: SecurityEventsService,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'identityProviders'>,
  ) {
    this.errors = new ErrorFilter(logger);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    if (thrown instanceof SignInRefusal)
      return this.refuse(thrown, http.getRequest<Request>(), http.getResponse<Response>());
    this.errors.reply(thrown, host, ({ status }, response, request) => {
      const known = status === 404 || status === 429 || status === 503 ? status : 500;
      this.send(request, response, { status, text: TEXTS[languageOf(request)].errors[known] });
    });
  }

  private refuse({ code, reason }: SignInRefusal, request: Request, response: Response): void {
    const status = REFUSALS[code];
    const name = String(request.params['provider']);
    request.errorCode = code;
    METRICS.signInsRefused.inc({ code });
    if (status === 403) this.events.providerSignInRefused(name, originOf(request), code);
    if (reason !== undefined)
      this.logger.warn({ requestId: request.id, provider: name, reason }, `sign-in with a provider: ${code}`);
    const label = this.settings.identityProviders.find((provider) => provider.name === name)?.label ?? name;
    const text = TEXTS[languageOf(request)].refusals[code].replace('{provider}', () => label);
    this.send(request, response, { status, text });
  }

  private send(
    request: Request,
    response: Response,
    { status, text }: { readonly status: number; readonly text: string },
  ): void {
    const language = languageOf(request);
    const { title, back, request: label } = TEXTS[language];
    this.pages.send(response, status, 'sign-in/provider', {
      language,
      title,
      text,
      back: { text: back, address: `${this.publicUrl.path}/sign-in` },
      request: { text: label, id: request.id },
    });
  }
}
