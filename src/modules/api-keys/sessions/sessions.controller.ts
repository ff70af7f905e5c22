import { Controller, Delete, Get } from '@nestjs/common';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { TargetIdParam } from '../../../contract/id-param.decorator.js';
import type { Caller } from '../../../policy/caller.js';
import { reply, succeed, SuccessReply } from '../../../platform/openapi/reply.dto.js';
import { presentSession, Session } from '../public/session.response.dto.js';
import { SessionsService } from './sessions.service.js';

@ApiTags('You')
@Controller('me/sessions')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @Endpoint({
    summary: 'List your sessions',
    scope: 'keys:manage',
    description:
      'The open sessions of the caller in browsers, newest first. A session may do what its user may, so an API key with limits sees none.',
    reply: Session,
    many: true,
  })
  async listSessions(@CurrentCaller() caller: Caller) {
    return reply((await this.sessions.list(caller)).map(presentSession(caller)));
  }

  @Delete()
  @Endpoint({
    summary: 'Sign out everywhere',
    scope: 'keys:manage',
    description: 'Ends all sessions of the caller, also the one of this request. API keys keep working.',
    reply: SuccessReply,
  })
  async endSessions(@CurrentCaller() caller: Caller) {
    return succeed(this.sessions.endAll(caller));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'End a session',
    scope: 'keys:manage',
    description: 'Effective immediately: the browser with the session has to sign in again.',
    reply: SuccessReply,
    errors: ['NOT_FOUND'],
  })
  async endSession(@CurrentCaller() caller: Caller, @TargetIdParam('session') id: string) {
    return succeed(this.sessions.end(caller, id));
  }
}
