import { Body, Controller, Delete, Get, Patch, Query } from '@nestjs/common';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import {
  CursorPagination,
  replyCursorPage,
  type PageReply,
} from '../../../contract/cursor-pagination.dto.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { IdParam } from '../../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { reply, type Reply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { PresentedDeparture, presentDeparture } from '../../organizations/public/departure.response.dto.js';
import { DeleteUserDto, ListUsersDto, UpdateUserDto } from './dto/manage-users.dto.js';
import { PresentedUser, presentUser } from './dto/user.response.dto.js';
import { UserManagementService } from './user-management.service.js';

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
  async listUsers(
    @CurrentCaller() caller: Caller,
    @Query() query: ListUsersDto,
  ): Promise<PageReply<PresentedUser>> {
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
    @Body() { name, email, plan }: UpdateUserDto,
  ): Promise<Reply<PresentedUser>> {
    return reply(presentUser(await this.users.update(caller, id, { name, email, plan })));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete a user',
    scope: 'operator',
    description:
      'Operators only. Like `DELETE /me` of that user: personal recordings are deleted, those of organizations are kept and get another owner.',
    reply: PresentedDeparture,
    errors: ['NOT_FOUND', 'CONFLICT'],
  })
  async deleteUser(
    @CurrentCaller() caller: Caller,
    @IdParam('user') id: string,
    @Query() query: DeleteUserDto,
  ): Promise<Reply<PresentedDeparture>> {
    return reply(presentDeparture(await this.users.delete(caller, id, query)));
  }
}
