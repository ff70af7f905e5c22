import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SERVICE_NAME } from '../../contract/api-document.js';
import { SCOPE_NAMES } from '../../contract/scopes.js';
import { AcceptsAnyQuery, Public } from '../../platform/http/requests/endpoint-inputs.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';

export const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

/**
 * How clients authenticate at `/mcp` (RFC 9728). It names no authorization server, because there is none: API keys come
 * from the API and the command line.
 */
@ApiExcludeController()
@Controller()
@Public()
export class ProtectedResourceController {
  constructor(private readonly publicUrl: PublicUrl) {}

  @Get(METADATA_PATH)
  @AcceptsAnyQuery()
  readMetadata(): object {
    return {
      resource: this.publicUrl.resolve('/mcp'),
      resource_name: SERVICE_NAME,
      bearer_methods_supported: ['header'],
      scopes_supported: SCOPE_NAMES,
    };
  }
}
