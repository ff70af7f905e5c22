import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { CurrentCaller } from '../../platform/http/current-caller.decorator.js';
import { Endpoint } from '../../platform/openapi/endpoint.decorator.js';
import { ApiIdParam } from '../../platform/openapi/id-param.decorator.js';
import { reply, type Reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { CreateShareLinkDto } from './dto/create-share-link.dto.js';
import { presentShareLink, ShareLinkItem } from './dto/share-link.response.dto.js';
import { SharingService } from './sharing.service.js';

@ApiTags('Sharing')
@Controller('recordings')
export class SharingController {
  constructor(private readonly sharing: SharingService) {}

  @Post(':id/share-link')
  @ApiIdParam('recording')
  @ApiBody({ type: CreateShareLinkDto, required: false })
  @Endpoint({
    summary: 'Create a share link',
    description:
      "Any member who can see the recording may create one; it acts on behalf of the recording's owner. There is one link per permission: asking again returns it.",
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
    @Body() { permission }: CreateShareLinkDto,
  ): Promise<Reply<ShareLinkItem>> {
    return reply(presentShareLink(await this.sharing.create(caller, id, permission)));
  }
}
