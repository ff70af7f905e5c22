import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { CursorPagination, presentCursorPagination } from '../../contract/cursor-pagination.dto.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { ApiIdParam, ApiTargetIdParam } from '../../contract/id-param.decorator.js';
import { readCursor } from '../../platform/http/cursor.js';
import { CurrentCaller } from '../../platform/http/current-caller.decorator.js';
import { ApiSchemaBody, SchemaBody } from '../../platform/http/schema-body.js';
import { reply, SUCCESS, SuccessReply, type Reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import {
  AcceptInvitationDto,
  CREATE_INVITATION,
  CREATE_INVITATION_BODIES,
  ListInvitationsDto,
  type CreateInvitation,
} from './dto/create-invitation.dto.js';
import {
  presentAcceptance,
  PresentedAcceptance,
  PresentedInvitation,
  presentInvitation,
} from './dto/invitation.response.dto.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';
import { InvitationsService } from './invitations.service.js';

@ApiTags('Invitations')
@Controller()
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly acceptance: InvitationAcceptanceService,
  ) {}

  @Post('organizations/:id/invitations')
  @ApiIdParam('organization')
  @ApiSchemaBody(CREATE_INVITATION, CREATE_INVITATION_BODIES)
  @Endpoint({
    summary: 'Invite a person',
    description:
      'For `OWNER` and `ADMIN`, who may invite members that they could also manage. The invitation is mailed; where no mail server is set up, the response has `invite_url` and `invite_token` to pass on. It works once and for seven days, and ends with the membership of its sender. An organization can have at most 100 pending invitations.',
    status: 201,
    costly: true,
    reply: PresentedInvitation,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND', 'CONFLICT'],
  })
  async createInvitation(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @SchemaBody(CREATE_INVITATION) body: CreateInvitation,
  ): Promise<Reply<PresentedInvitation>> {
    const { features: flags, folder_ids: folderIds, ...input } = body;
    return reply(
      presentInvitation(await this.invitations.create(caller, id, { ...input, flags, folderIds })),
    );
  }

  @Get('organizations/:id/invitations')
  @ApiIdParam('organization')
  @Endpoint({
    summary: 'List invitations',
    description:
      'For `OWNER` and `ADMIN`: invitations that have not been accepted, newest first, including expired ones.',
    reply: PresentedInvitation,
    many: true,
    pagination: CursorPagination,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND'],
  })
  async listInvitations(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() { search, limit, cursor }: ListInvitationsDto,
  ): Promise<Reply<PresentedInvitation[]> & { pagination: CursorPagination }> {
    const page = await this.invitations.list(caller, id, { search, limit, after: readCursor(cursor) });
    return { data: page.rows.map(presentInvitation), pagination: presentCursorPagination(page) };
  }

  @Delete('organizations/:id/invitations/:invitationId')
  @ApiTargetIdParam('organization')
  @ApiIdParam('invitation', 'invitationId')
  @Endpoint({
    summary: 'Withdraw an invitation',
    description: 'For those who could have sent it. Its link stops working.',
    reply: SuccessReply,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND', 'INVITATION_NOT_FOUND'],
  })
  async deleteInvitation(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('invitationId') invitationId: string,
  ): Promise<Reply<SuccessReply>> {
    await this.invitations.delete(caller, id, invitationId);
    return reply(SUCCESS);
  }

  @Post('organizations/:id/invitations/:invitationId/resend')
  @ApiTargetIdParam('organization')
  @ApiIdParam('invitation', 'invitationId')
  @Endpoint({
    summary: 'Send an invitation again',
    description:
      "In the caller's name, with a new link that works for seven days; the earlier one stops working. Mails of an invitation are at least a minute apart: 429 otherwise.",
    costly: true,
    reply: PresentedInvitation,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND', 'INVITATION_NOT_FOUND'],
  })
  async resendInvitation(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('invitationId') invitationId: string,
  ): Promise<Reply<PresentedInvitation>> {
    return reply(presentInvitation(await this.invitations.resend(caller, id, invitationId)));
  }

  @Post('invitations/accept')
  @Endpoint({
    summary: 'Accept an invitation',
    description:
      'With an API key, its user joins the organization, if the invitation is for their email address. Without one, `name` is required: a user with that address is created, whose first API key is `data.key`, only in this response. If there is such a user already, one of their keys is required (409).',
    status: 201,
    public: 'or key',
    costly: true,
    reply: PresentedAcceptance,
    errors: ['INVITATION_NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  })
  async acceptInvitation(
    @CurrentCaller() caller: Caller | undefined,
    @Body() body: AcceptInvitationDto,
  ): Promise<Reply<PresentedAcceptance>> {
    return reply(presentAcceptance(await this.acceptance.accept(caller, body)));
  }
}
