import { Controller, Get, Param } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/current-caller.decorator.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
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
} from './dto/organization.response.dto.js';
import { OrganizationsService } from './organizations.service.js';

@ApiTags('Organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Endpoint({
    summary: 'List organizations',
    description: 'The organizations the caller belongs to, sorted by name.',
    reply: ListedOrganization,
    many: true,
  })
  async listOrganizations(@CurrentCaller() caller: Caller): Promise<Reply<ListedOrganization[]>> {
    return reply((await this.organizations.list(caller)).map(presentOrganization));
  }

  @Get(':id/folders')
  @ApiIdParam('organization')
  @Endpoint({
    summary: 'List folders',
    description: 'All active folders of the organization, sorted by name. The caller must be a member.',
    reply: ListedFolder,
    many: true,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND'],
  })
  async listFolders(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<Reply<ListedFolder[]>> {
    return reply((await this.organizations.folders(caller, id)).map(presentFolder));
  }

  @Get(':id/members')
  @ApiIdParam('organization')
  @Endpoint({
    summary: 'List members',
    description: 'All members of the organization, sorted by name. The caller must be a member.',
    reply: ListedMember,
    many: true,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND'],
  })
  async listMembers(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<Reply<ListedMember[]>> {
    return reply((await this.organizations.members(caller, id)).map(presentMember));
  }
}
