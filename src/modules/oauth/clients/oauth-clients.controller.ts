import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { TargetIdParam } from '../../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { reply, succeed, SuccessReply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import {
  ListedOAuthClient,
  ListOAuthClientsDto,
  presentOAuthClient,
  presentRegisteredClient,
  RegisteredOAuthClient,
  RegisterOAuthClientDto,
} from './oauth-client.dto.js';
import { OAuthClientsService } from './oauth-clients.service.js';

@ApiTags('OAuth clients')
@Controller('oauth-clients')
export class OAuthClientsController {
  constructor(private readonly clients: OAuthClientsService) {}

  @Get()
  @Endpoint({
    summary: 'List OAuth clients',
    scope: 'organizations:read',
    description:
      'The clients that an organization has registered, for its `OWNER`, or those of the operators, newest first. Clients that register themselves are not listed.',
    reply: ListedOAuthClient,
    many: true,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async listOAuthClients(
    @CurrentCaller() caller: Caller,
    @Query() { organization_id: id }: ListOAuthClientsDto,
  ) {
    return reply((await this.clients.list(caller, id ?? null)).map(presentOAuthClient));
  }

  @Post()
  @Endpoint({
    summary: 'Register an OAuth client',
    scope: 'organizations:manage',
    description:
      'For an app of a company, with exact redirect addresses. Any user can connect it; `oauth_clients` of an organization says which clients reach it. The response is the only one that contains the secret.',
    status: 201,
    location: '/oauth-clients/{id}',
    reply: RegisteredOAuthClient,
    secrets: {
      at: ['client_secret'],
      notice:
        'The secret is in the first reply only, and is not kept. If that was lost, delete the client and register it again with POST /oauth-clients.',
    },
    errors: ['ORGANIZATION_NOT_FOUND', 'CONFLICT'],
  })
  async registerOAuthClient(@CurrentCaller() caller: Caller, @Body() body: RegisterOAuthClientDto) {
    return reply(presentRegisteredClient(await this.clients.register(caller, body)));
  }

  @Get(':id')
  @Endpoint({
    summary: 'Get an OAuth client',
    scope: 'organizations:read',
    description: 'One that the organization of an `OWNER`, or an operator, has registered.',
    reply: ListedOAuthClient,
    errors: ['NOT_FOUND'],
  })
  async getOAuthClient(@CurrentCaller() caller: Caller, @TargetIdParam('OAuth client') id: string) {
    return reply(presentOAuthClient(await this.clients.get(caller, id)));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete an OAuth client',
    scope: 'organizations:manage',
    description: 'Its connections end at once.',
    reply: SuccessReply,
    errors: ['NOT_FOUND'],
  })
  async deleteOAuthClient(@CurrentCaller() caller: Caller, @TargetIdParam('OAuth client') id: string) {
    return succeed(this.clients.delete(caller, id));
  }
}
