import { Controller, Get, Param, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { CursorPagination } from '../../contract/cursor-pagination.dto.js';
import { ApiIdParam } from '../../contract/id-param.decorator.js';
import { reply, type Reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import {
  ListedFolder,
  ListedMember,
  ListedOrganization,
  presentFolder,
  presentMember,
  presentOrganization,
} from './public/organization.response.dto.js';
import { ListByNameDto, ListFoldersDto, replyPage } from './dto/name-list.dto.js';
import {
  presentOrganizationDetails,
  PresentedOrganization,
} from './public/organization-details.response.dto.js';
import { OrganizationDetailsService } from './organization-details.service.js';
import { OrganizationsService } from './organizations.service.js';

@ApiTags('Organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly details: OrganizationDetailsService,
  ) {}

  @Get()
  @Endpoint({
    summary: 'List organizations',
    description:
      'The organizations the caller belongs to, sorted by name. With `limit` or `cursor`, the list is paginated and the response includes `pagination`.',
    reply: ListedOrganization,
    compressed: true,
    many: true,
    optionalPagination: CursorPagination,
  })
  async listOrganizations(
    @CurrentCaller() caller: Caller,
    @Query() query: ListByNameDto,
  ): Promise<Reply<ListedOrganization[]>> {
    return replyPage(await this.organizations.list(caller, query), presentOrganization);
  }

  @Get(':id')
  @ApiIdParam('organization')
  @Endpoint({
    summary: 'Get an organization',
    description:
      'The organization with its feature flags, plan and subscription. The caller must be a member or an operator.',
    reply: PresentedOrganization,
    compressed: true,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND'],
  })
  async getOrganization(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<Reply<PresentedOrganization>> {
    return reply(presentOrganizationDetails(await this.details.get(caller, id)));
  }

  @Get(':id/folders')
  @ApiIdParam('organization')
  @Endpoint({
    summary: 'List folders',
    description:
      'All active folders of the organization, sorted by name. The caller must be a member. With `limit` or `cursor`, the list is paginated and the response includes `pagination`.',
    reply: ListedFolder,
    compressed: true,
    many: true,
    optionalPagination: CursorPagination,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND'],
  })
  async listFolders(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: ListFoldersDto,
  ): Promise<Reply<ListedFolder[]>> {
    return replyPage(await this.organizations.folders(caller, id, query), presentFolder);
  }

  @Get(':id/members')
  @ApiIdParam('organization')
  @Endpoint({
    summary: 'List members',
    description:
      'All members of the organization, sorted by name. The caller must be a member. With `limit` or `cursor`, the list is paginated and the response includes `pagination`.',
    reply: ListedMember,
    compressed: true,
    many: true,
    optionalPagination: CursorPagination,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND'],
  })
  async listMembers(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: ListByNameDto,
  ): Promise<Reply<ListedMember[]>> {
    return replyPage(await this.organizations.members(caller, id, query), presentMember);
  }
}
