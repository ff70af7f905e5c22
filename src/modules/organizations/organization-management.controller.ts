import { Body, Controller, Delete, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { ApiTargetIdParam } from '../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { reply, SUCCESS, SuccessReply, type Reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import {
  PresentedOrganization,
  presentOrganizationDetails,
  PresentedTransfer,
  presentTransfer,
} from './public/organization-details.response.dto.js';
import {
  CreateOrganizationDto,
  DeleteOrganizationDto,
  OfferTransferDto,
  readSubscription,
  UPDATE_ORGANIZATION_BODIES,
  UpdateOrganizationDto,
} from './dto/organization-changes.dto.js';
import { organizationFlags } from './public/feature-flags.dto.js';
import { OrganizationChangesService } from './organization-changes.service.js';
import { TransfersService } from './transfers/transfers.service.js';

@ApiTags('Organizations')
@Controller('organizations')
export class OrganizationManagementController {
  constructor(
    private readonly organizations: OrganizationChangesService,
    private readonly transfers: TransfersService,
  ) {}

  @Post()
  @Endpoint({
    summary: 'Create an organization',
    description:
      'The caller becomes its `OWNER`. A user can be `OWNER` of at most 100 organizations. The organization gets the plan set by `DEFAULT_PLAN`, or that of the caller if it is lower; operators can change it.',
    status: 201,
    location: '/organizations/{id}',
    reply: PresentedOrganization,
    errors: ['CONFLICT'],
  })
  async createOrganization(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateOrganizationDto,
  ): Promise<Reply<PresentedOrganization>> {
    return reply(presentOrganizationDetails(await this.organizations.create(caller, body)));
  }

  @Patch(':id')
  @ApiTargetIdParam('organization')
  @ApiBody({ type: UpdateOrganizationDto, examples: UPDATE_ORGANIZATION_BODIES })
  @Endpoint({
    summary: 'Update an organization',
    description:
      'Changing the name, feature flags or what members may take requires `OWNER`; plan and subscription can only be changed by operators. Takes effect with the next request.',
    reply: PresentedOrganization,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND'],
  })
  async updateOrganization(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body()
    {
      features,
      subscription,
      members_may_take_recordings: membersMayTakeRecordings,
      ...body
    }: UpdateOrganizationDto,
  ): Promise<Reply<PresentedOrganization>> {
    const organization = await this.organizations.update(caller, id, {
      ...body,
      features: features && organizationFlags(features),
      membersMayTakeRecordings,
      subscription: subscription && readSubscription(subscription),
    });
    return reply(presentOrganizationDetails(organization));
  }

  @Delete(':id')
  @ApiTargetIdParam('organization')
  @Endpoint({
    summary: 'Delete an organization',
    description:
      '`OWNER` only. Refused (409) while it has recordings, unless `recordings=delete` is sent to delete them too. This cannot be undone: all members lose access at once, and the files are removed shortly after.',
    reply: SuccessReply,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND', 'CONFLICT'],
  })
  async deleteOrganization(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() { recordings }: DeleteOrganizationDto,
  ): Promise<Reply<SuccessReply>> {
    await this.organizations.delete(caller, id, recordings === 'delete');
    return reply(SUCCESS);
  }

  @Post(':id/transfer')
  @ApiTargetIdParam('organization')
  @Endpoint({
    summary: 'Offer ownership',
    description:
      'Offers ownership to another member, who has seven days to accept; nothing changes until then. The member is notified by email if a mail server is configured. Replaces any earlier offer. `OWNER` only.',
    status: 201,
    location: '/organizations/:id',
    costly: true,
    reply: PresentedTransfer,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND', 'CONFLICT'],
  })
  async offerTransfer(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: OfferTransferDto,
  ): Promise<Reply<PresentedTransfer>> {
    return reply(presentTransfer(await this.transfers.offer(caller, id, body.user_id)));
  }

  @Post(':id/transfer/accept')
  @ApiTargetIdParam('organization')
  @Endpoint({
    summary: 'Accept ownership',
    description: 'The caller becomes `OWNER`, and the member who offered it becomes `ADMIN`.',
    reply: PresentedOrganization,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND', 'TRANSFER_NOT_FOUND', 'CONFLICT'],
  })
  async acceptTransfer(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<Reply<PresentedOrganization>> {
    return reply(presentOrganizationDetails(await this.transfers.accept(caller, id)));
  }

  @Delete(':id/transfer')
  @ApiTargetIdParam('organization')
  @Endpoint({
    summary: 'Cancel or decline a transfer',
    description: 'An `OWNER` cancels the offer, or the member it was made to declines it.',
    reply: SuccessReply,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND', 'TRANSFER_NOT_FOUND'],
  })
  async cancelTransfer(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<Reply<SuccessReply>> {
    await this.transfers.cancel(caller, id);
    return reply(SUCCESS);
  }
}
