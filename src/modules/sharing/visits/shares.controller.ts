import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiParam } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { TurnsBy } from '../../../platform/http/request-turns.js';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { reply, type Reply } from '../../../platform/openapi/reply.dto.js';
import { UnlockShareDto, OpenShareDto } from '../dto/open-share.dto.js';
import { presentShareAccess, ShareAccess } from '../dto/share-access.response.dto.js';
import { presentShare, Share } from '../dto/share.response.dto.js';
import { ShareVisitsService } from './share-visits.service.js';

const TOKEN = {
  name: 'token',
  type: String,
  description: 'Token of the share link',
  example: '9ZrU2mKdQx7vT1bLw3Yc8HnPjE5sGf0A',
} as const;

/** Share links for programs; people open `/s/:token`. */
@ApiTags('Sharing')
@Controller('shares')
@TurnsBy('token')
export class SharesController {
  constructor(private readonly visits: ShareVisitsService) {}

  @Get(':token')
  @ApiParam(TOKEN)
  @ApiHeader({
    name: 'X-Share-Access',
    required: false,
    description: 'The `access_token` of a link with a password',
    schema: { type: 'string' },
  })
  @Endpoint({
    summary: 'Open a share link',
    description:
      'For everybody who has the token; no API key. Recipients get what plan, organization and the feature flags of the creator of the link allow at that moment. A link that has ended or expired, or that none of these allow to be shared, answers like an unknown one. A reply that starts at chunk 0 counts as a view.',
    reply: Share,
    public: true,
    errors: ['NOT_FOUND', 'SHARE_PASSWORD_REQUIRED', 'SERVICE_UNAVAILABLE'],
  })
  async getShare(
    @Param('token') token: string,
    @Query() { start_chunk: startChunk, limit }: OpenShareDto,
    @Req() request: Request,
  ): Promise<Reply<Share>> {
    return reply(presentShare(await this.visits.read(token, startChunk, limit, request)));
  }

  @Post(':token/access')
  @ApiParam(TOKEN)
  @Endpoint({
    summary: 'Enter the password of a share link',
    description:
      'The access token holds for a day and ends with the link or its password. After 10 wrong passwords in ten minutes the link takes none for the rest of them.',
    status: 201,
    reply: ShareAccess,
    public: true,
    errors: ['NOT_FOUND', 'SHARE_PASSWORD_WRONG', 'CONFLICT', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
  })
  async unlockShare(
    @Param('token') token: string,
    @Body() { password }: UnlockShareDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Reply<ShareAccess>> {
    return reply(presentShareAccess(await this.visits.unlock(token, password, response)));
  }
}
