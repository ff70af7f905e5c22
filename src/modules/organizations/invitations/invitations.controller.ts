import { Body, Controller, Delete, Get, Post, Query, Req } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { CursorPagination, replyCursorPage } from '../../../contract/cursor-pagination.dto.js';
import { present } from '../../../contract/present.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { reply, succeed, SuccessReply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import {
  AcceptInvitationDto,
  CREATE_INVITATION_BODIES,
  CreateInvitationDto,
  ListInvitationsDto,
  PresentedAcceptance,
  PresentedInvitation,
  presentInvitation,
} from './invitation.dto.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';
import { InvitationsService } from './invitations.service.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import type { Request } from 'express';

const LINK_SHOWN_ONCE = {
  at: ['invite_url', 'invite_token'],
  notice:
    'The link is in the first reply only. If that was lost, POST /api/v1/organizations/{id}/invitations/{invitationId}/resend issues another.',
};

@ApiTags('Invitations')
@Controller()
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly acceptance: InvitationAcceptanceService,
  ) {}

  @Post('organizations/:id/invitations')
  @ApiBody({ type: CreateInvitationDto, examples: CREATE_INVITATION_BODIES })
  @Endpoint({
    summary: 'Invite a person',
    scope: 'organizations:manage',
    description:
      '`OWNER` and `ADMIN` only; they can invite people for roles they manage. The invitation is emailed; if no mail server is configured, the response contains `invite_url` and `invite_token` to pass on. It can be used once, within seven days, and becomes invalid when its sender leaves the organization. An organization can have at most 100 pending invitations.',
    status: 201,
    location: '/organizations/:id/invitations',
    costly: true,
    reply: PresentedInvitation,
    secrets: LINK_SHOWN_ONCE,
    errors: ['ORGANIZATION_NOT_FOUND', 'CONFLICT'],
  })
  async createInvitation(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @Body() body: CreateInvitationDto,
  ) {
    return reply(presentInvitation(await this.invitations.create(caller, id, body)));
  }

  @Get('organizations/:id/invitations')
  @Endpoint({
    summary: 'List invitations',
    scope: 'organizations:read',
    description:
      '`OWNER` and `ADMIN` only. Lists invitations that have not been accepted, newest first, including expired ones.',
    reply: PresentedInvitation,
    many: true,
    pagination: CursorPagination,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async listInvitations(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @Query() query: ListInvitationsDto,
  ) {
    return replyCursorPage(await this.invitations.list(caller, id, query), presentInvitation);
  }

  @Delete('organizations/:id/invitations/:invitationId')
  @Endpoint({
    summary: 'Withdraw an invitation',
    scope: 'organizations:manage',
    description: 'The caller must manage the invited role. The link stops working.',
    reply: SuccessReply,
    errors: ['ORGANIZATION_NOT_FOUND', 'INVITATION_NOT_FOUND'],
  })
  async deleteInvitation(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @IdParam('invitation', 'invitationId') invitationId: string,
  ) {
    return succeed(this.invitations.delete(caller, id, invitationId));
  }

  @Post('organizations/:id/invitations/:invitationId/resend')
  @Endpoint({
    summary: 'Send an invitation again',
    scope: 'organizations:manage',
    description:
      'Sends it again on behalf of the caller, with a new link valid for seven days; the previous link stops working. An invitation can be emailed at most once a minute (429).',
    costly: true,
    reply: PresentedInvitation,
    shows: {
      as: 'ResentInvitation',
      scope: 'organizations:read',
      always: ['id', 'mail_status', 'expires_at', 'invite_url', 'invite_token'],
    },
    secrets: LINK_SHOWN_ONCE,
    errors: ['ORGANIZATION_NOT_FOUND', 'INVITATION_NOT_FOUND'],
  })
  async resendInvitation(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @IdParam('invitation', 'invitationId') invitationId: string,
  ) {
    return reply(presentInvitation(await this.invitations.resend(caller, id, invitationId)));
  }

  @Post('invitations/accept')
  @Endpoint({
    summary: 'Accept an invitation',
    scope: 'organizations:manage',
    description:
      'Makes a user, existing or new, a member of the organization.\n\n- With an API key, its user joins; the invitation must be for their email address.\n- Without one, `name` is required: a new user is created with the invited address, and their first API key is returned once, as `data.key`.\n- If the invitation was emailed, this verifies the address; if a user with that verified address already exists, one of their keys is required (409).\n- If it was handed over by its sender, the address of a new user is not verified.\n- An `Idempotency-Key` needs an API key; without one, it is ignored.',
    status: 201,
    location: '/organizations/{organization.id}',
    public: 'or key',
    costly: true,
    reply: PresentedAcceptance,
    errors: ['INVITATION_NOT_FOUND', 'CONFLICT'],
  })
  async acceptInvitation(
    @CurrentCaller() caller: Caller | undefined,
    @Body() body: AcceptInvitationDto,
    @Req() request: Request,
  ) {
    return reply(
      present(PresentedAcceptance, await this.acceptance.accept(caller ?? originOf(request), body)),
    );
  }
}
