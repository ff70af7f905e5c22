import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { RECORDING_REFUSALS } from '../../../contract/error-responses.js';
import { IdParam } from '../../../contract/id-param.decorator.js';
import { TO_READ_LINKS, TO_SHARE } from '../../../contract/scopes.js';
import { reply, succeed, SuccessReply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import {
  CREATE_SHARE_LINK_BODIES,
  CreateShareLinkDto,
  UPDATE_SHARE_LINK_BODIES,
  UpdateShareLinkDto,
  ListedShareLink,
  presentListedShareLink,
  replyWithShareLink,
  CreatedShareLink,
} from './share-link.dto.js';
import { ShareLinksService } from './share-links.service.js';
import { LIMITS } from '../../../contract/limits.js';

@ApiTags('Sharing')
@Controller('recordings')
export class ShareLinksController {
  constructor(private readonly links: ShareLinksService) {}

  @Post(':id/share-link')
  @ApiBody({ type: CreateShareLinkDto, required: false, examples: CREATE_SHARE_LINK_BODIES })
  @Endpoint({
    summary: 'Create a share link',
    scope: TO_SHARE,
    description: `Any member who can see the recording can create a link.\n\n- Without expiry, \`password\`, \`label\` and \`tracks\`, it is the plain link, one per recording and permission: repeating the request answers 200 with the same link, unless its creator's feature flags no longer allow it. A key with limits has one of its own.\n- With any of them, it is always a new, separate link, and other links are left unchanged.\n- A recording can have at most ${LIMITS.shareLinks} links; beyond that, a new link replaces the one that expired first, or is rejected if none has expired.\n- A link that is created with a key that has limits (scopes, organizations, folders, addresses, expiry) ends with that key: when the key is revoked, expires or is narrowed so that it could no longer create the link. It is given an expiry no later than the key's (400). The key that replaces it by rotation takes its links over.`,
    status: 201,
    location: '/recordings/:id/share-links',
    mayExist: true,
    costly: 'password',
    reply: CreatedShareLink,
    errors: [...RECORDING_REFUSALS, 'SHARING_DISABLED', 'CONFLICT'],
  })
  async createShareLink(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @Body() body: CreateShareLinkDto,
  ) {
    return replyWithShareLink(await this.links.create(caller, id, body));
  }

  @Get(':id/share-links')
  @Endpoint({
    summary: 'List share links',
    scope: TO_READ_LINKS,
    description:
      'All links for callers who can edit the recording, otherwise the links they created; newest first, including expired ones. Also works when the recording is locked or can no longer be shared. `view_count` and `last_viewed_at` may lag by up to a minute; a view is an opened share page, or a JSON response that starts at chunk 0.',
    reply: ListedShareLink,
    many: true,
    errors: ['RECORDING_NOT_FOUND'],
  })
  async listShareLinks(@CurrentCaller() caller: Caller, @IdParam('recording') id: string) {
    return reply((await this.links.list(caller, id)).map(presentListedShareLink));
  }

  @Patch(':id/share-links/:linkId')
  @ApiBody({ type: UpdateShareLinkDto, examples: UPDATE_SHARE_LINK_BODIES })
  @Endpoint({
    summary: 'Update a share link',
    scope: TO_SHARE,
    description:
      "Changes the fields that are sent, at least one; the URL of the link stays the same.\n\n- Only its creator or someone who can edit the recording can update it, and only while a link could be created: the recording is not locked, and sharing is enabled.\n- An expired link cannot be updated.\n- A new password invalidates access tokens and media URLs issued before.\n- A plain link that is given an expiry, a password, a label or tracks becomes a separate link.\n- With `take_over`, the caller becomes its creator, for example before the creator is removed from the organization: a link is deleted when its creator's membership ends, and its creator's feature flags limit what recipients can use. With a key without limits, the link then no longer ends with a key; with a key that has limits, it ends with that one. Where that changes the key, a plain link becomes a separate link.\n- A key that expires cannot give a link an expiry after its own, nor none unless the link ends with that key (400).",
    costly: 'password',
    reply: ListedShareLink,
    errors: [...RECORDING_REFUSALS, 'SHARING_DISABLED', 'SHARE_LINK_NOT_FOUND', 'CONFLICT'],
  })
  async updateShareLink(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @IdParam('share link', 'linkId') linkId: string,
    @Body() body: UpdateShareLinkDto,
  ) {
    return reply(presentListedShareLink(await this.links.update(caller, id, linkId, body)));
  }

  @Delete(':id/share-links/:linkId')
  @Endpoint({
    summary: 'Revoke a share link',
    scope: 'shares:write',
    description:
      'Permanent and effective immediately, also for media URLs issued through the link. Only its creator or someone who can edit the recording can revoke it, even when the recording is locked or can no longer be shared.',
    reply: SuccessReply,
    errors: ['RECORDING_NOT_FOUND', 'SHARE_LINK_NOT_FOUND'],
  })
  async revokeShareLink(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @IdParam('share link', 'linkId') linkId: string,
  ) {
    return succeed(this.links.revoke(caller, id, linkId));
  }
}
