import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import type { Caller } from '../../policy/caller.js';
import { reply } from '../../platform/openapi/reply.dto.js';
import { QuotasService } from '../quotas/quotas.service.js';
import { CurrentUser, presentMe } from './dto/me.response.dto.js';

@ApiTags('You')
@Controller('me')
export class AuthController {
  constructor(private readonly quotas: QuotasService) {}

  @Get()
  @Endpoint({
    summary: 'Get the current user',
    scope: 'profile:read',
    description:
      'The user whose API key or session this is, the key or how they signed in, and how much of each quota the user has used.',
    reply: CurrentUser,
  })
  async getMe(@CurrentCaller() caller: Caller, @Req() { credential = '' }: Request) {
    return reply(presentMe(caller, await this.quotas.readForUser(caller), credential));
  }
}
