import {
  Catch,
  Inject,
  type ArgumentsHost,
  type ExceptionFilter,
  Controller,
  Get,
  Post,
  Req,
  Res,
  UseFilters,
} from '@nestjs/common';
import type { Response, Request } from 'express';
import { CLIENT_SCOPES, LEAST_SCOPES } from '../../contract/scopes.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { ErrorFilter, errorBody } from '../../platform/http/replies/error.filter.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { AppLogger } from '../../platform/logging/app-logger.js';
import { InvalidRequest } from './server/batches.js';
import { ApiExcludeController } from '@nestjs/swagger';
import { SERVICE_NAME } from '../../contract/api-document.js';
import { AcceptsAnyQuery, Public, AcceptsJson } from '../../platform/http/requests/endpoint-inputs.js';
import { AnyScope } from '../../contract/scope.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import type { Caller } from '../../policy/caller.js';
import { McpService } from './mcp.service.js';

/** Says in each 401 where a client learns how to authenticate, as the protocol demands (RFC 6750, RFC 9728). */
@Catch()
class McpFilter implements ExceptionFilter {
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

export const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

/** Where clients get tokens for `/mcp`, for the API, and for both (RFC 9728). */
@ApiExcludeController()
@Controller()
@Public()
export class ProtectedResourceController {
  constructor(private readonly publicUrl: PublicUrl) {}

  @Get(METADATA_PATH)
  @AcceptsAnyQuery()
  readMetadata(): object {
    return this.describe('/mcp');
  }

  @Get('/.well-known/oauth-protected-resource/api/v1')
  @AcceptsAnyQuery()
  readMetadataOfApi(): object {
    return this.describe('/api/v1');
  }

  @Get('/.well-known/oauth-protected-resource')
  @AcceptsAnyQuery()
  readMetadataOfAll(): object {
    return this.describe('');
  }

  private describe(path: string): object {
    return {
      resource: this.publicUrl.resolve(path),
      authorization_servers: [this.publicUrl.base],
      resource_name: SERVICE_NAME,
      bearer_methods_supported: ['header'],
      scopes_supported: CLIENT_SCOPES,
    };
  }
}

/** The Model Context Protocol, as streamable HTTP: one message a request, and no sessions. */
@ApiExcludeController()
@Controller('mcp')
@UseFilters(McpFilter)
export class McpController {
  constructor(private readonly mcp: McpService) {}

  @Post()
  @AnyScope()
  @AcceptsJson()
  answer(@CurrentCaller() caller: Caller, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.mcp.answer(caller, request, response);
  }
}
