import { Body, Controller, Delete, Get, Patch, Post, Put, Query, Req } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { Request } from 'express';
import { sizeText } from '../../lib/amounts.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { CursorPagination } from '../../contract/cursor-pagination.dto.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { reply, succeed, SuccessReply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { ListByNameDto, replyPage } from './dto/name-list.dto.js';
import {
  ListedOrganization,
  presentOrganization,
  PresentedOrganization,
  presentOrganizationDetails,
} from './dto/organization.dto.js';
import {
  CREATE_ORGANIZATION_BODIES,
  CreateOrganizationDto,
  DeleteOrganizationDto,
  readSubscription,
  UPDATE_ORGANIZATION_BODIES,
  UpdateOrganizationDto,
} from './dto/organization.request.dto.js';
import { LOGO_BODIES } from './dto/branding.dto.js';
import { BrandingService } from './branding/branding.service.js';
import { OrganizationChangesService } from './organization-changes.service.js';
import { OrganizationsService } from './organizations.service.js';
import { LIMITS } from '../../contract/limits.js';

const { logo: LOGO } = LIMITS;
const SHOWS = { as: 'ChangedOrganization', scope: 'organizations:read', always: ['id'] } as const;

@ApiTags('Organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly changes: OrganizationChangesService,
    private readonly branding: BrandingService,
  ) {}

  @Get()
  @Endpoint({
    summary: 'List organizations',
    scope: 'organizations:read',
    description:
      'The organizations the caller belongs to, sorted by name. With `limit` or `cursor`, the list is paginated and the response includes `pagination`.',
    reply: ListedOrganization,
    compressed: true,
    many: true,
    optionalPagination: CursorPagination,
  })
  async listOrganizations(@CurrentCaller() caller: Caller, @Query() query: ListByNameDto) {
    return replyPage(await this.organizations.list(caller, query), presentOrganization);
  }

  @Get(':id')
  @Endpoint({
    summary: 'Get an organization',
    scope: 'organizations:read',
    description:
      'The organization with its feature flags, plan and subscription. The caller must be a member or an operator.',
    reply: PresentedOrganization,
    compressed: true,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async getOrganization(@CurrentCaller() caller: Caller, @IdParam('organization') id: string) {
    return reply(presentOrganizationDetails(await this.organizations.get(caller, id)));
  }

  @Post()
  @ApiBody({ type: CreateOrganizationDto, examples: CREATE_ORGANIZATION_BODIES })
  @Endpoint({
    summary: 'Create an organization',
    scope: 'organizations:manage',
    description: `The caller becomes its \`OWNER\`. A user can be \`OWNER\` of at most ${LIMITS.ownedOrganizations} organizations. The organization gets the plan set by \`DEFAULT_PLAN\`, or that of its \`OWNER\` if that is lower. Operators, with the scope \`users:manage\` too, can create one for another user, and with another plan.`,
    status: 201,
    location: '/organizations/{id}',
    reply: PresentedOrganization,
    errors: ['CONFLICT'],
  })
  async createOrganization(@CurrentCaller() caller: Caller, @Body() body: CreateOrganizationDto) {
    return reply(presentOrganizationDetails(await this.changes.createFor(caller, body)));
  }

  @Patch(':id')
  @ApiBody({ type: UpdateOrganizationDto, examples: UPDATE_ORGANIZATION_BODIES })
  @Endpoint({
    summary: 'Update an organization',
    scope: 'organizations:manage',
    costly: 'branding',
    description:
      'Changing the name, feature flags, branding, what members may take, how long API keys may work or deleted recordings can be restored, or whether voices are remembered requires `OWNER`; plan and subscription can only be changed by operators. Takes effect with the next request.',
    reply: PresentedOrganization,
    shows: SHOWS,
    errors: ['ORGANIZATION_NOT_FOUND', 'CONFLICT'],
  })
  async updateOrganization(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @Body()
    {
      features,
      subscription,
      members_may_take_recordings: membersMayTakeRecordings,
      api_key_max_days: apiKeyMaxDays,
      bin_days: binDays,
      remember_voices: rememberVoices,
      sso_provider: ssoProvider,
      oauth_clients: oauthClients,
      external_id: externalId,
      branding,
      ...body
    }: UpdateOrganizationDto,
  ) {
    const organization = await this.changes.update(caller, id, {
      ...body,
      features,
      membersMayTakeRecordings,
      apiKeyMaxDays,
      binDays,
      rememberVoices,
      ssoProvider,
      oauthClients,
      externalId,
      brandingAccent: branding?.accent,
      brandingDomain: branding?.domain,
      subscription: subscription && readSubscription(subscription),
    });
    return reply(presentOrganizationDetails(organization));
  }

  @Put(':id/logo')
  @Endpoint({
    summary: 'Replace the logo',
    scope: 'organizations:manage',
    description: `\`OWNER\` only. An image of at most ${sizeText(LOGO.file)} and ${LOGO.maxSide} pixels on each side, without animation, as the body or the only part of a form. It is fitted into ${LOGO.width} × ${LOGO.height} pixels, and share pages show it on a light background.`,
    reply: PresentedOrganization,
    shows: SHOWS,
    stream: true,
    costly: true,
    takes: LOGO_BODIES,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async replaceLogo(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @Req() request: Request,
  ) {
    return reply(presentOrganizationDetails(await this.branding.replaceLogo(caller, id, request)));
  }

  @Delete(':id/logo')
  @Endpoint({
    summary: 'Remove the logo',
    scope: 'organizations:manage',
    description: '`OWNER` only.',
    reply: SuccessReply,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async removeLogo(@CurrentCaller() caller: Caller, @TargetIdParam('organization') id: string) {
    return succeed(this.branding.writeLogo(caller, id, null));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete an organization',
    scope: 'organizations:manage',
    description:
      '`OWNER` only. Refused (409) while it has recordings, also deleted ones that can be restored, unless `recordings=delete` is sent to delete them too. This cannot be undone: all members lose access at once, and the files are removed shortly after.',
    reply: SuccessReply,
    errors: ['ORGANIZATION_NOT_FOUND', 'CONFLICT', 'LEGAL_HOLD'],
  })
  async deleteOrganization(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @Query() { recordings }: DeleteOrganizationDto,
  ) {
    return succeed(this.changes.delete(caller, id, recordings === 'delete'));
  }
}
