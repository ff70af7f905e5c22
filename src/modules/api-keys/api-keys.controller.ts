import { Body, Controller, Delete, Get, Patch, Post, Req } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { Request } from 'express';
import { originOf } from '../../platform/http/requests/client-address.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { API_KEY_PATTERN, CHECKSUM } from '../../contract/api-key-format.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import type { Caller } from '../../policy/caller.js';
import { reply, succeed, SuccessReply } from '../../platform/openapi/reply.dto.js';

import {
  presentApiKeyDetail,
  presentCreatedApiKey,
  presentListedApiKey,
  presentRotatedApiKey,
  ApiKeyDetail,
  CreatedApiKey,
  keyShownOnce,
  ListedApiKey,
  RevokedLeakedApiKeys,
  RotatedApiKey,
} from './public/api-key.response.dto.js';
import { ApiKeysService } from './api-keys.service.js';
import {
  CREATE_API_KEY_BODIES,
  CreateApiKeyDto,
  RevokeLeakedApiKeysDto,
  RotateApiKeyDto,
  UpdateApiKeyDto,
} from './public/api-key.request.dto.js';
import { LIMITS } from '../../contract/limits.js';

@ApiTags('API keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Post()
  @ApiBody({ type: CreateApiKeyDto, examples: CREATE_API_KEY_BODIES })
  @Endpoint({
    summary: 'Create an API key',
    scope: 'keys:manage',
    description: `The response is the only one that contains the full key.\n\n- By default, the new key has the limits of the API key of this request, and expires when that does. It can never do more, reach further or work longer (403).\n- \`scopes\` may contain the presets \`read-only\`, which stands for all scopes that end in \`:read\`, and \`full\`, which stands for no limit.\n- A key for certain organizations must expire within the days that these permit (\`api_key_max_days\`, 400). One for all of them need not: it does not reach those that do not accept it.\n- A user can have at most ${LIMITS.apiKeys} keys that are neither revoked nor expired. Of the others, the ${LIMITS.apiKeys} that ended last are kept.`,
    status: 201,
    location: '/api-keys/{id}',
    reply: CreatedApiKey,
    secrets: keyShownOnce('/api-keys/{id}'),
    errors: ['CONFLICT'],
  })
  async createApiKey(@CurrentCaller() caller: Caller, @Body() body: CreateApiKeyDto) {
    return reply(presentCreatedApiKey(await this.apiKeys.create(caller.id, body, caller)));
  }

  @Get()
  @Endpoint({
    summary: 'List API keys',
    scope: 'keys:manage',
    description:
      "The caller's keys, newest first, including revoked and expired ones; never the full key. For a key with limits, those that may do more, reach further or work longer are absent here, and not found (404) where one is read, changed, rotated or revoked.",
    reply: ListedApiKey,
    many: true,
  })
  async listApiKeys(@CurrentCaller() caller: Caller) {
    return reply((await this.apiKeys.list(caller.id, caller)).map(presentListedApiKey));
  }

  @Post('revoke-leaked')
  @Endpoint({
    summary: 'Revoke leaked API keys',
    description: `For anyone who has found keys where they should not be, such as a secret scanner. Having a key is enough to revoke it, so none is needed to authenticate. Unknown keys, and those that no longer work, are ignored. New keys match \`${API_KEY_PATTERN}\`; the last ${CHECKSUM} characters are the CRC-32 of those before them in base62 (0-9, A-Z, a-z).`,
    reply: RevokedLeakedApiKeys,
    public: true,
    costly: true,
  })
  async revokeLeakedApiKeys(@Body() { keys }: RevokeLeakedApiKeysDto, @Req() request: Request) {
    return reply({ revoked: await this.apiKeys.revokeLeaked(keys, originOf(request)) });
  }

  @Get(':id')
  @Endpoint({
    summary: 'Get an API key',
    scope: 'keys:manage',
    description: 'One of the keys of the caller, with its use per day; never the full key.',
    reply: ApiKeyDetail,
    errors: ['API_KEY_NOT_FOUND'],
  })
  async getApiKey(@CurrentCaller() caller: Caller, @IdParam('API key') id: string) {
    const { apiKey, uses } = await this.apiKeys.read(caller, id);
    return reply(presentApiKeyDetail(apiKey, uses));
  }

  @Patch(':id')
  @Endpoint({
    summary: 'Rename or narrow an API key',
    scope: 'keys:manage',
    description:
      'A key can only lose: scopes, organizations, folders, addresses and time. Effective with its next request.',
    reply: ListedApiKey,
    errors: ['API_KEY_NOT_FOUND', 'ALREADY_REVOKED', 'CONFLICT'],
  })
  async updateApiKey(
    @CurrentCaller() caller: Caller,
    @IdParam('API key') id: string,
    @Body() body: UpdateApiKeyDto,
  ) {
    return reply(presentListedApiKey(await this.apiKeys.update(caller.id, id, body, caller)));
  }

  @Post(':id/rotate')
  @Endpoint({
    summary: 'Rotate an API key',
    scope: 'keys:manage',
    description:
      'Creates a key with the same name, limits and, unless given, expiry, which replaces this one. This one still works for `overlap` seconds, by default a day, so that its users have time to change: with an overlap of 0, a request that has to be repeated needs the new key. Works once for each key (409). Share links that end with this key pass to the new one; those that it creates from then on end with the overlap. The new key can do no more, reach no further and work no longer than the API key of this request (403).',
    status: 201,
    location: '/api-keys/{id}',
    reply: RotatedApiKey,
    secrets: keyShownOnce('/api-keys/{id}'),
    errors: ['API_KEY_NOT_FOUND', 'ALREADY_REVOKED', 'CONFLICT'],
  })
  async rotateApiKey(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('API key') id: string,
    @Body() body: RotateApiKeyDto,
  ) {
    return reply(presentRotatedApiKey(await this.apiKeys.rotate(caller.id, id, body, caller)));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Revoke an API key',
    scope: 'keys:manage',
    description:
      'Permanent and effective immediately: the next request with the key fails with `INVALID_API_KEY`.',
    reply: SuccessReply,
    errors: ['API_KEY_NOT_FOUND', 'ALREADY_REVOKED'],
  })
  async revokeApiKey(@CurrentCaller() caller: Caller, @TargetIdParam('API key') id: string) {
    return succeed(this.apiKeys.revoke(caller.id, id, caller));
  }
}
