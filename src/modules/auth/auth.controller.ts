import { Controller, Get } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/current-caller.decorator.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import type { Caller } from '../../policy/caller.js';
import { reply, type Reply } from '../../platform/openapi/reply.dto.js';
import { CurrentUser, presentMe } from './dto/me.response.dto.js';

@ApiTags('Authentication')
@Controller('me')
export class AuthController {
  @Get()
  @Endpoint({
    summary: 'Get the current user',
    description: 'The user that the API key acts as, and the key itself.',
    reply: CurrentUser,
  })
  getMe(@CurrentCaller() caller: Caller): Reply<CurrentUser> {
    return reply(presentMe(caller));
  }
}
