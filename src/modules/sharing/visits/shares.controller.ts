import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiParam } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { QueuedBy } from '../../../platform/http/requests/request-queue.js';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { present } from '../../../contract/present.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { reply } from '../../../platform/openapi/reply.dto.js';
import { UnlockShareDto, OpenShareDto, ShareAccess, presentShare, Share } from './share.dto.js';
import { SharePasswordsService } from './share-passwords.service.js';
import { ShareVisitsService } from './share-visits.service.js';

const TOKEN = {
  name: 'token',
  type: String,
  description: 'Token of the share link',
} as const;

/** Share links for API clients; people open `/s/:token`. */
@ApiTags('Sharing')
@Controller('shares')
@QueuedBy('token', 'share link')
export class SharesController {
  constructor(
    private readonly visits: ShareVisitsService,
    private readonly passwords: SharePasswordsService,
  ) {}

  @Get(':token')
  @ApiParam(TOKEN)
  @ApiHeader({
    name: 'X-Share-Access',
    required: false,
    description: 'The `access_token`, if the link has a password',
    schema: { type: 'string' },
  })
  @Endpoint({
    summary: 'Open a share link',
    description:
      "For anyone who has the token; no API key is needed.\n\n- Recipients get what the plan, the organization and the feature flags of the link's creator allow at that moment.\n- A link that no longer exists or has expired, or whose recording may no longer be shared, returns the same error as an unknown one.\n- A response that starts at chunk 0 counts as a view.",
    reply: Share,
    public: true,
    errors: ['NOT_FOUND', 'SHARE_PASSWORD_REQUIRED', 'SERVICE_UNAVAILABLE'],
  })
  async getShare(
    @Param('token') token: string,
    @Query() { start_chunk: startChunk, limit }: OpenShareDto,
    @Req() request: Request,
  ) {
    return reply(presentShare(await this.visits.view(token, startChunk, limit, request)));
  }

  @Post(':token/access')
  @ApiParam(TOKEN)
  @Endpoint({
    summary: 'Unlock a share link',
    description:
      'Exchanges the password of a share link for an access token, which is valid for a day, but only while the link works and its password stays the same. After 10 wrong passwords within ten minutes, the link accepts no password for the rest of that time.',
    status: 201,
    location: '/shares/:token',
    costly: true,
    reply: ShareAccess,
    public: true,
    errors: ['NOT_FOUND', 'SHARE_PASSWORD_WRONG', 'CONFLICT', 'SERVICE_UNAVAILABLE'],
  })
  async unlockShare(
    @Param('token') token: string,
    @Body() { password }: UnlockShareDto,
    @Res({ passthrough: true }) response: Response,
  ) {
    return reply(present(ShareAccess, await this.passwords.unlock(token, password, response)));
  }
}
