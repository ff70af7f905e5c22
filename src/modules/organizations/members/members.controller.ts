import { Body, Controller, Delete, Get, Patch, Put, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { present } from '../../../contract/present.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { replyWith } from '../../../platform/http/replies/reply-headers.js';
import { reply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { CursorPagination } from '../../../contract/cursor-pagination.dto.js';
import { ListByNameDto, replyPage } from '../dto/name-list.dto.js';
import { PresentedDeparture, presentDeparture } from '../public/departure.response.dto.js';
import { memberFlags } from '../public/feature-flags.dto.js';
import {
  ListedMember,
  PresentedPutMember,
  PresentedUpdatedMember,
  PutMemberDto,
  RemoveMemberDto,
  UPDATE_MEMBER_BODIES,
  UpdateMemberDto,
} from './member.dto.js';
import { MembersService } from './members.service.js';

@ApiTags('Organizations')
@Controller('organizations/:id/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get()
  @Endpoint({
    summary: 'List members',
    scope: 'organizations:read',
    description:
      'All members of the organization, sorted by name. The caller must be a member. With `limit` or `cursor`, the list is paginated and the response includes `pagination`.',
    reply: ListedMember,
    compressed: true,
    many: true,
    optionalPagination: CursorPagination,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async listMembers(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @Query() query: ListByNameDto,
  ) {
    return replyPage(await this.members.list(caller, id, query), (row) => present(ListedMember, row));
  }

  @Patch(':userId')
  @ApiBody({ type: UpdateMemberDto, examples: UPDATE_MEMBER_BODIES })
  @Endpoint({
    summary: 'Update a member',
    scope: 'organizations:manage',
    description:
      'An `OWNER` can update any member; an `ADMIN` can update an `EDITOR` or `VIEWER`, but cannot promote them to `ADMIN` or `OWNER`. Members can lower their own role. The last `OWNER` cannot be demoted. Takes effect with the next request. Webhooks of the organization that a former `OWNER` or `ADMIN` was responsible for are disabled.',
    reply: PresentedUpdatedMember,
    shows: { as: 'UpdatedMember', scope: 'organizations:read', always: ['id'] },
    errors: ['ORGANIZATION_NOT_FOUND', 'MEMBER_NOT_FOUND', 'CONFLICT'],
  })
  async updateMember(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @IdParam('user', 'userId') userId: string,
    @Body() { role, features }: UpdateMemberDto,
  ) {
    const flags = features && memberFlags(features);
    return reply(
      present(PresentedUpdatedMember, await this.members.update(caller, id, userId, { role, flags })),
    );
  }

  @Put(':userId')
  @Endpoint({
    summary: 'Add or replace a member',
    scope: 'users:manage',
    description:
      'Operators only, who need not be members. Makes a user a member without an invitation (201), or changes the one that they are (200). The last `OWNER` cannot be demoted. Takes effect with the next request.',
    status: 201,
    mayExist: true,
    location: '/organizations/:id/members',
    reply: PresentedPutMember,
    errors: ['ORGANIZATION_NOT_FOUND', 'NOT_FOUND', 'CONFLICT'],
  })
  async putMember(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @TargetIdParam('user', 'userId') userId: string,
    @Body() { role, features }: PutMemberDto,
  ) {
    const flags = features && memberFlags(features);
    const member = await this.members.put(caller, id, userId, { role, flags });
    return replyWith(present(PresentedPutMember, member), member);
  }

  @Delete(':userId')
  @Endpoint({
    summary: 'Remove a member',
    scope: 'organizations:manage',
    description:
      'Members can remove themselves to leave the organization; removing others requires a role that manages theirs. Takes effect with the next request: their share links stop working, and their recordings stay with the organization and pass to `new_owner`. Webhooks of the organization that they were responsible for are disabled, unless `webhooks=take_over` is sent. The last `OWNER` cannot leave.',
    reply: PresentedDeparture,
    errors: ['ORGANIZATION_NOT_FOUND', 'MEMBER_NOT_FOUND', 'CONFLICT'],
  })
  async removeMember(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @IdParam('user', 'userId') userId: string,
    @Query() { new_owner: newOwner, webhooks }: RemoveMemberDto,
  ) {
    const options = { newOwner, takeOverWebhooks: webhooks === 'take_over' };
    return reply(presentDeparture(await this.members.remove(caller, id, userId, options)));
  }
}
