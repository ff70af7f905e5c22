import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { Scope } from '../../contract/scopes.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { ErrorFilter, errorBody } from '../../platform/http/replies/error.filter.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { METADATA_PATH } from './protected-resource.controller.js';
import { InvalidRequest } from './server/batches.js';

/** With these, a client can answer most questions. It can use more with more. */
const LEAST_SCOPES: readonly Scope[] = ['recordings:read', 'transcripts:read', 'questions', 'shares:read'];

/** Says in each 401 where a client learns how to authenticate, as the protocol demands (RFC 6750, RFC 9728). */
@Catch()
export class McpFilter implements ExceptionFilter {
  private readonly errors: ErrorFilter;

  constructor(
    private readonly publicUrl: PublicUrl,
    logger: AppLogger,
    @Inject(SETTINGS) { adviceContact }: Settings,
  ) {
    this.errors = new ErrorFilter(logger, adviceContact);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    if (thrown instanceof InvalidRequest) {
      host.switchToHttp().getResponse<Response>().status(400).json(thrown.reply);
      return;
    }
    this.errors.reply(thrown, host, (error, response) => {
      if (error.status === 401) response.set('WWW-Authenticate', this.challenge(error.code));
      response.json(errorBody(error));
    });
  }

  private challenge(code: string): string {
    return [
      `Bearer resource_metadata="${this.publicUrl.resolve(METADATA_PATH)}"`,
      `scope="${LEAST_SCOPES.join(' ')}"`,
      ...(code === 'UNAUTHORIZED' ? [] : ['error="invalid_token"']),
    ].join(', ');
  }
}
