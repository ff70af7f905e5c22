import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { ApiIdParam } from '../../contract/id-param.decorator.js';
import type { Caller } from '../../policy/caller.js';
import { reply, SUCCESS, SuccessReply, type Reply } from '../../platform/openapi/reply.dto.js';

import { presentCreatedApiKey, presentListedApiKey } from './api-key.presenter.js';
import { ApiKeysService } from './api-keys.service.js';
import { CreatedApiKey, ListedApiKey } from './dto/api-key.response.dto.js';
import { CREATE_API_KEY_BODIES, CreateApiKeyDto } from './dto/create-api-key.dto.js';

@ApiTags('API keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Post()
  @ApiBody({ type: CreateApiKeyDto, examples: CREATE_API_KEY_BODIES })
  @Endpoint({
    summary: 'Create an API key',
    description:
      'The response is the only one that contains the full key. A user can have at most 100 keys that are neither revoked nor expired. Of the others, the 100 that ended last are kept.',
    status: 201,
    location: '/api-keys',
    reply: CreatedApiKey,
    errors: ['CONFLICT'],
  })
  async createApiKey(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateApiKeyDto,
  ): Promise<Reply<CreatedApiKey>> {
    const input = { name: body.name, expiresAt: body.expires_at };
    return reply(presentCreatedApiKey(await this.apiKeys.create(caller.id, input, caller)));
  }

  @Get()
  @Endpoint({
    summary: 'List API keys',
    description: "The caller's keys, newest first, including revoked and expired ones; never the full key.",
    reply: ListedApiKey,
    many: true,
  })
  async listApiKeys(@CurrentCaller() caller: Caller): Promise<Reply<ListedApiKey[]>> {
    return reply((await this.apiKeys.list(caller.id)).map(presentListedApiKey));
  }

  @Delete(':id')
  @ApiIdParam('API key')
  @Endpoint({
    summary: 'Revoke an API key',
    description:
      'Permanent and effective immediately: the next request with the key fails with `INVALID_API_KEY`.',
    reply: SuccessReply,
    errors: ['API_KEY_NOT_FOUND', 'ALREADY_REVOKED'],
  })
  async revokeApiKey(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<Reply<SuccessReply>> {
    await this.apiKeys.revoke(caller.id, id, caller);
    return reply(SUCCESS);
  }
}
