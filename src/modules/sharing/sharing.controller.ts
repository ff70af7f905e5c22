import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../platform/http/current-caller.decorator.js';
import { Endpoint } from '../../platform/openapi/endpoint.decorator.js';
import { ApiIdParam } from '../../platform/openapi/id-param.decorator.js';
import { reply, SUCCESS, SuccessReply, type Reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { CREATE_SHARE_LINK_BODIES, CreateShareLinkDto } from './dto/create-share-link.dto.js';
import {
  ListedShareLink,
  presentListedShareLink,
  presentShareLink,
  ShareLinkItem,
} from './dto/share-link.response.dto.js';
import { SharingService } from './sharing.service.js';

@ApiTags('Sharing')
@Controller('recordings')
export class SharingController {
  constructor(private readonly sharing: SharingService) {}

  @Post(':id/share-link')
  @ApiIdParam('recording')
  @ApiBody({ type: CreateShareLinkDto, required: false, examples: CREATE_SHARE_LINK_BODIES })
  @Endpoint({
    summary: 'Create a share link',
    description:
      "Any member who can see the recording may create one; it acts on behalf of the recording's owner. There is one link per permission: asking again returns it, and sets the expiry and password that are given, if the caller made it or may change the recording. An expired link gives way to a new one.",
    status: 201,
    reply: ShareLinkItem,
    errors: [
      'RECORDING_NOT_FOUND',
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
      'RECORDING_LOCKED',
      'SHARING_DISABLED',
      'FORBIDDEN',
    ],
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: CreateShareLinkDto,
  ): Promise<Reply<ShareLinkItem>> {
    return reply(presentShareLink(await this.sharing.create(caller, id, body)));
  }

  @Get(':id/share-links')
  @ApiIdParam('recording')
  @Endpoint({
    summary: 'List share links',
    description:
      'Those that the caller made, or all for who may change the recording; newest first, expired ones too. Works also when the recording is locked or may no longer be shared. `view_count` and `last_viewed_at` may lag by up to a minute; what counts is an opened page, or a JSON reply that starts at chunk 0.',
    reply: ListedShareLink,
    many: true,
    errors: ['RECORDING_NOT_FOUND'],
  })
  async list(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<Reply<ListedShareLink[]>> {
    return reply((await this.sharing.list(caller, id)).map(presentListedShareLink));
  }

  @Delete(':id/share-links/:linkId')
  @ApiIdParam('recording')
  @ApiIdParam('share link', 'linkId')
  @Endpoint({
    summary: 'Revoke a share link',
    description:
      'At once and for good, media addresses handed out with it included; asking for a link again makes another one. May be done by who made it and by who may change the recording, also when the recording is locked or may no longer be shared.',
    reply: SuccessReply,
    errors: ['RECORDING_NOT_FOUND', 'SHARE_LINK_NOT_FOUND', 'FORBIDDEN'],
  })
  async revoke(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('linkId') linkId: string,
  ): Promise<Reply<SuccessReply>> {
    await this.sharing.revoke(caller, id, linkId);
    return reply(SUCCESS);
  }
}
