import { Body, Controller, Post } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { present } from '../../contract/present.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import {
  CREATE_BROWSER_TOKEN_BODIES,
  CreateBrowserTokenDto,
  CreatedBrowserToken,
} from './browser-token.dto.js';
import { BrowserTokensService } from './browser-tokens.service.js';

@ApiTags('API keys')
@Controller('tokens')
export class BrowserTokensController {
  constructor(private readonly tokens: BrowserTokensService) {}

  @Post()
  @ApiBody({ type: CreateBrowserTokenDto, examples: CREATE_BROWSER_TOKEN_BODIES })
  @Endpoint({
    summary: 'Create a browser token',
    scope: 'tokens:create',
    description:
      'For a server whose pages are to read or upload without its API key: a token that they send like one (`Authorization: Bearer`), from the given origins alone.\n\n- It acts as the user of the key, within `scopes` and either `recordings` or a `folder`, and never does what the key may not: it ends with the key, and becomes as narrow.\n- Media URLs that it is given expire with it.\n- It cannot move recordings, and creates nothing that lasts longer, such as share links.\n- Create another before it expires (401 `TOKEN_EXPIRED`). That one continues uploads and, with the same `recipient`, repeats requests with their `Idempotency-Key`.\n- Only an API key creates one, not a session.',
    reply: CreatedBrowserToken,
    secrets: {
      at: ['token'],
      notice: 'The token is in the first reply only, and is not kept. POST /api/v1/tokens creates another.',
    },
    errors: ['RECORDING_NOT_FOUND'],
  })
  async createToken(@CurrentCaller() caller: Caller, @Body() body: CreateBrowserTokenDto) {
    return reply(present(CreatedBrowserToken, await this.tokens.create(caller, body)));
  }
}
