import { Body, Controller, Delete, Post } from '@nestjs/common';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { TargetIdParam } from '../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { reply, succeed, SuccessReply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { PresentedOrganization, presentOrganizationDetails } from './dto/organization.dto.js';
import { OfferTransferDto, PresentedTransfer, presentTransfer } from './dto/transfer.dto.js';
import { TransfersService } from './transfers.service.js';

@ApiTags('Organizations')
@Controller('organizations/:id/transfer')
export class TransfersController {
  constructor(private readonly transfers: TransfersService) {}

  @Post()
  @Endpoint({
    summary: 'Offer ownership',
    scope: 'organizations:manage',
    description:
      'Offers ownership to another member, who has seven days to accept; nothing changes until then. The member is notified by email if a mail server is configured. Replaces any earlier offer. `OWNER` only.',
    status: 201,
    location: '/organizations/:id',
    costly: true,
    reply: PresentedTransfer,
    errors: ['ORGANIZATION_NOT_FOUND', 'CONFLICT'],
  })
  async offerTransfer(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @Body() body: OfferTransferDto,
  ) {
    return reply(presentTransfer(await this.transfers.offer(caller, id, body.user_id)));
  }

  @Post('accept')
  @Endpoint({
    summary: 'Accept ownership',
    scope: 'organizations:manage',
    description: 'The caller becomes `OWNER`, and the member who offered it becomes `ADMIN`.',
    reply: PresentedOrganization,
    shows: { as: 'ChangedOrganization', scope: 'organizations:read', always: ['id'] },
    errors: ['ORGANIZATION_NOT_FOUND', 'TRANSFER_NOT_FOUND', 'CONFLICT'],
  })
  async acceptTransfer(@CurrentCaller() caller: Caller, @TargetIdParam('organization') id: string) {
    return reply(presentOrganizationDetails(await this.transfers.accept(caller, id)));
  }

  @Delete()
  @Endpoint({
    summary: 'Cancel or decline a transfer',
    scope: 'organizations:manage',
    description: 'An `OWNER` cancels the offer, or the member it was made to declines it.',
    reply: SuccessReply,
    errors: ['ORGANIZATION_NOT_FOUND', 'TRANSFER_NOT_FOUND'],
  })
  async cancelTransfer(@CurrentCaller() caller: Caller, @TargetIdParam('organization') id: string) {
    return succeed(this.transfers.cancel(caller, id));
  }
}
