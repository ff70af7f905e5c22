import { Body, Controller, Delete, Patch, Query, Get } from '@nestjs/common';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { reply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { PresentedDeparture, presentDeparture } from '../../organizations/public/departure.response.dto.js';
import {
  DeleteMeDto,
  PresentedUser,
  presentUser,
  DeleteUserDto,
  ListUsersDto,
  UpdateUserDto,
} from './user.dto.js';
import { UpdateMeDto } from '../public/update-me.request.dto.js';
import { UserManagementService } from './user-management.service.js';
import { CursorPagination, replyCursorPage } from '../../../contract/cursor-pagination.dto.js';
import { IdParam } from '../../../contract/id-param.decorator.js';

@ApiTags('You')
@Controller('me')
export class MeController {
  constructor(private readonly management: UserManagementService) {}

  @Patch()
  @Endpoint({
    summary: 'Update the current user',
    scope: 'profile:write',
    description:
      'Changes the display name. Email address and plan can only be changed by operators. An API key that is limited to organizations cannot change it, and a service account is renamed by those who manage it (403).',
    reply: PresentedUser,
    shows: { as: 'ChangedUser', scope: 'profile:read', always: ['id'] },
  })
  async updateMe(@CurrentCaller() caller: Caller, @Body() { name }: UpdateMeDto) {
    return reply(presentUser(await this.management.updateMe(caller, { name })));
  }

  @Delete()
  @Endpoint({
    summary: 'Delete the current user',
    scope: 'profile:write',
    description:
      "Permanently deletes the user, whose email address confirms it (`confirm`), with their personal recordings and share links. Recordings of organizations are kept and get another owner; webhooks of organizations that the user was responsible for are disabled. Refused (409) for the last `OWNER` of an organization. Requests with the user's keys are then rejected with `USER_NOT_FOUND`.",
    reply: PresentedDeparture,
    errors: ['CONFLICT', 'LEGAL_HOLD'],
  })
  async deleteMe(@CurrentCaller() caller: Caller, @Query() query: DeleteMeDto) {
    return reply(presentDeparture(await this.management.deleteMe(caller, query)));
  }
}

@ApiTags('Users')
@Controller('users')
export class UsersController {
  constructor(private readonly users: UserManagementService) {}

  @Get()
  @Endpoint({
    summary: 'List users',
    scope: 'operator',
    description: 'Operators only. Lists all users, newest first.',
    reply: PresentedUser,
    compressed: true,
    many: true,
    pagination: CursorPagination,
  })
  async listUsers(@CurrentCaller() caller: Caller, @Query() query: ListUsersDto) {
    return replyCursorPage(await this.users.list(caller, query), presentUser);
  }

  @Patch(':id')
  @Endpoint({
    summary: 'Update a user',
    scope: 'operator',
    description:
      'Operators only. Takes effect with the next request of the user. Setting `email`, even to the same address, confirms that it is theirs: it is then verified.',
    reply: PresentedUser,
    errors: ['NOT_FOUND', 'CONFLICT'],
  })
  async updateUser(
    @CurrentCaller() caller: Caller,
    @IdParam('user') id: string,
    @Body() body: UpdateUserDto,
  ) {
    return reply(presentUser(await this.users.update(caller, id, body)));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete a user',
    scope: 'operator',
    description:
      'Operators only. Like `DELETE /me` of that user: personal recordings are deleted, those of organizations are kept and get another owner.',
    reply: PresentedDeparture,
    errors: ['NOT_FOUND', 'CONFLICT', 'LEGAL_HOLD'],
  })
  async deleteUser(
    @CurrentCaller() caller: Caller,
    @IdParam('user') id: string,
    @Query() query: DeleteUserDto,
  ) {
    return reply(presentDeparture(await this.users.delete(caller, id, query)));
  }
}
