import { Controller, Delete, Get } from '@nestjs/common';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { TargetIdParam } from '../../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { reply, succeed, SuccessReply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { Connection, presentConnection } from '../public/connection.response.dto.js';
import { ConnectionsService } from './connections.service.js';

@ApiTags('You')
@Controller('me/connections')
export class ConnectionsController {
  constructor(private readonly connections: ConnectionsService) {}

  @Get()
  @Endpoint({
    summary: 'List connected apps',
    scope: 'keys:manage',
    description:
      'The OAuth clients that the caller lets act for them, newest first: assistants, apps, command lines. An API key with limits sees those that are limited at least as much.',
    reply: Connection,
    many: true,
  })
  async listConnections(@CurrentCaller() caller: Caller) {
    return reply((await this.connections.list(caller)).map(presentConnection));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Disconnect an app',
    scope: 'keys:manage',
    description:
      'Effective immediately, also for open streams: the client is refused with `INVALID_TOKEN`, and must ask again.',
    reply: SuccessReply,
    errors: ['NOT_FOUND'],
  })
  async revokeConnection(@CurrentCaller() caller: Caller, @TargetIdParam('connection') id: string) {
    return succeed(this.connections.end(caller, id));
  }
}
