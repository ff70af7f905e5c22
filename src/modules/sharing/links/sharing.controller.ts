import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { CurrentCaller } from '../../../platform/http/current-caller.decorator.js';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { ApiIdParam } from '../../../contract/id-param.decorator.js';
import { reply, SUCCESS, SuccessReply, type Reply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { CREATE_SHARE_LINK_BODIES, CreateShareLinkDto } from '../dto/create-share-link.dto.js';
import { UPDATE_SHARE_LINK_BODIES, UpdateShareLinkDto } from '../dto/update-share-link.dto.js';
import {
  ListedShareLink,
  presentListedShareLink,
  presentShareLink,
  ShareLinkDetails,
} from '../dto/share-link.response.dto.js';
import { ShareLinkCreationService } from './share-link-creation.service.js';
import { SharingService } from './sharing.service.js';

@ApiTags('Sharing')
@Controller('recordings')
export class SharingController {
  constructor(
    private readonly creation: ShareLinkCreationService,
    private readonly sharing: SharingService,
  ) {}

  @Post(':id/share-link')
  @ApiIdParam('recording')
  @ApiBody({ type: CreateShareLinkDto, required: false, examples: CREATE_SHARE_LINK_BODIES })
  @Endpoint({
    summary: 'Create a share link',
    description:
      'Any member who can see the recording may create one. Without `expires_at`, `password` and `label` this is the plain link, one per recording and permission: asking again returns the same, unless the flags of its creator no longer allow it. With one of them it is always a new, separate link, and no other is touched. A recording has at most 100 links; beyond them a new one takes the place of the one that expired first, or is refused when none has expired.',
    status: 201,
    reply: ShareLinkDetails,
    errors: [
      'RECORDING_NOT_FOUND',
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
      'RECORDING_LOCKED',
      'SHARING_DISABLED',
      'FORBIDDEN',
      'CONFLICT',
    ],
  })
  async createShareLink(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: CreateShareLinkDto,
  ): Promise<Reply<ShareLinkDetails>> {
    return reply(presentShareLink(await this.creation.create(caller, id, body)));
  }

  @Get(':id/share-links')
  @ApiIdParam('recording')
  @Endpoint({
    summary: 'List share links',
    description:
      'All for users who may change the recording, else those that the caller created; newest first, expired ones too. Works also when the recording is locked or may no longer be shared. `view_count` and `last_viewed_at` may lag by up to a minute; what counts is an opened page, or a JSON reply that starts at chunk 0.',
    reply: ListedShareLink,
    many: true,
    errors: ['RECORDING_NOT_FOUND'],
  })
  async listShareLinks(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<Reply<ListedShareLink[]>> {
    return reply((await this.sharing.list(caller, id)).map(presentListedShareLink));
  }

  @Patch(':id/share-links/:linkId')
  @ApiIdParam('recording')
  @ApiIdParam('share link', 'linkId')
  @ApiBody({ type: UpdateShareLinkDto, examples: UPDATE_SHARE_LINK_BODIES })
  @Endpoint({
    summary: 'Change a share link',
    description:
      'At least one field; what is left out stays, and so does the address of the link. For its creator and for users who may change the recording, where a link could be created: the recording is not locked, and sharing is allowed. A new password ends access and media addresses that were handed out before. A plain link that gets an expiry, a password or a label becomes a separate link. With `take_over` the caller becomes its creator, for instance before the creator is removed from the organization: a link ends with the membership of its creator, and recipients get what the creator may use. A link that has expired cannot be changed.',
    reply: ListedShareLink,
    errors: [
      'RECORDING_NOT_FOUND',
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
      'RECORDING_LOCKED',
      'SHARING_DISABLED',
      'SHARE_LINK_NOT_FOUND',
      'FORBIDDEN',
      'CONFLICT',
    ],
  })
  async updateShareLink(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('linkId') linkId: string,
    @Body() body: UpdateShareLinkDto,
  ): Promise<Reply<ListedShareLink>> {
    return reply(presentListedShareLink(await this.sharing.update(caller, id, linkId, body)));
  }

  @Delete(':id/share-links/:linkId')
  @ApiIdParam('recording')
  @ApiIdParam('share link', 'linkId')
  @Endpoint({
    summary: 'Revoke a share link',
    description:
      'At once and for good, media addresses handed out with it included. For its creator and for users who may change the recording, also when the recording is locked or may no longer be shared.',
    reply: SuccessReply,
    errors: ['RECORDING_NOT_FOUND', 'SHARE_LINK_NOT_FOUND', 'FORBIDDEN'],
  })
  async revokeShareLink(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('linkId') linkId: string,
  ): Promise<Reply<SuccessReply>> {
    await this.sharing.revoke(caller, id, linkId);
    return reply(SUCCESS);
  }
}
