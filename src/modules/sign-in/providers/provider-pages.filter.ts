import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { ErrorFilter } from '../../../platform/http/replies/error.filter.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { METRICS } from '../../../platform/telemetry/metrics.js';
import { SecurityEventsService } from '../../audit/security-events.service.js';
import { ProviderPagesService } from './provider-pages.service.js';
import { REFUSALS, type RefusalCode } from './provider-pages.wording.js';
import { SignInRefusal } from './sign-in-refusal.js';

/** Tells people why they cannot sign in, and whoever operates the service how often that happens. */
@Catch()
export class ProviderPagesFilter implements ExceptionFilter {
  private readonly errors: ErrorFilter;

  constructor(
    private readonly pages: ProviderPagesService,
    private readonly events: SecurityEventsService,
    private readonly logger: AppLogger,
  ) {
    this.errors = new ErrorFilter(logger);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    if (thrown instanceof SignInRefusal)
      return this.refuse(thrown, http.getRequest<Request>(), http.getResponse<Response>());
    this.errors.reply(thrown, host, ({ code, status }, response, request) => {
      const known = (Object.keys(REFUSALS) as RefusalCode[]).find((one) => one === code);
      const other = code === 'VALIDATION_ERROR' ? 'NOT_FOUND' : 'INTERNAL_ERROR';
      this.pages.refuse(request, response, { code: known ?? other, status });
    });
  }

  private refuse({ code, reason }: SignInRefusal, request: Request, response: Response): void {
    const status = REFUSALS[code];
    const provider = String(request.params['provider']);
    request.errorCode = code;
    METRICS.signInsRefused.inc({ code });
    if (status === 403) this.events.providerSignInRefused(provider, originOf(request), code);
    if (reason !== undefined)
      this.logger.warn({ requestId: request.id, provider, reason }, `sign-in with a provider: ${code}`);
    this.pages.refuse(request, response, { code, status });
  }
}
