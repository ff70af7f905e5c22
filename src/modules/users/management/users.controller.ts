import { Body, Controller, Delete, Get, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { replyWith } from '../../../platform/http/replies/reply-headers.js';
import { reply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { PresentedDeparture, presentDeparture } from '../../organizations/public/departure.response.dto.js';
import { CREATE_API_KEY_BODIES, CreateApiKeyDto } from '../../api-keys/public/api-key.request.dto.js';
import { CreatedApiKey, presentCreatedApiKey } from '../../api-keys/public/api-key.response.dto.js';
import {
  CREATE_USER_BODIES,
  CreateUserDto,
  DeleteMeDto,
  givenUser,
  PresentedSelf,
  PresentedUser,
  presentSelf,
  presentUser,
  DeleteUserDto,
  ListUsersDto,
  UpdateUserDto,
} from './user.dto.js';
import { UpdateMeDto } from '../public/update-me.request.dto.js';
import { UserManagementService } from './user-management.service.js';
import { CursorPagination, replyCursorPage } from '../../../contract/cursor-pagination.dto.js';
import { IdParam, TargetIdParam } from '../../../contract/id-param.decorator.js';

const OF_OPERATORS = 'For a user who is an operator, the API key needs the scope `operator` (403).';

/** Only the user can revoke a key whose reply was lost; the caller creates another one. */
const ONCE = {
  at: ['key'],
  notice:
    'The full key is in the first reply only, and is not kept. If that was lost, POST /api/v1/users/{id}/api-keys creates another, and the user revokes this one.',
};

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
    reply: PresentedSelf,
    shows: { as: 'ChangedUser', scope: 'profile:read', always: ['id'] },
  })
  async updateMe(@CurrentCaller() caller: Caller, @Body() { name }: UpdateMeDto) {
    return reply(presentSelf(await this.management.updateMe(caller, { name })));
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
    scope: 'users:manage',
    description: 'Operators only. Lists all users, newest first.',
    reply: PresentedUser,
    compressed: true,
    many: true,
    pagination: CursorPagination,
  })
  async listUsers(@CurrentCaller() caller: Caller, @Query() query: ListUsersDto) {
    return replyCursorPage(await this.users.list(caller, query), presentUser);
  }

  @Get(':id')
  @Endpoint({
    summary: 'Get a user',
    scope: 'users:manage',
    description: 'Operators only.',
    reply: PresentedUser,
    compressed: true,
    errors: ['NOT_FOUND'],
  })
  async getUser(@CurrentCaller() caller: Caller, @IdParam('user') id: string) {
    return reply(presentUser(await this.users.get(caller, id)));
  }

  @Post()
  @ApiBody({ type: CreateUserDto, examples: CREATE_USER_BODIES })
  @Endpoint({
    summary: 'Create a user',
    scope: 'users:manage',
    description:
      'Operators only. The user is sent nothing: `POST /users/{id}/api-keys` creates a key for them. Refused (409) for an external id or a verified address that another user has; `PUT /users/ext:...` changes that user instead.',
    status: 201,
    location: '/users/{id}',
    reply: PresentedUser,
    errors: ['CONFLICT'],
  })
  async createUser(@CurrentCaller() caller: Caller, @Body() body: CreateUserDto) {
    return reply(presentUser(await this.users.create(caller, givenUser(body))));
  }

  @Put(':id')
  @ApiBody({ type: CreateUserDto, examples: CREATE_USER_BODIES })
  @Endpoint({
    summary: 'Create or replace a user',
    scope: 'users:manage',
    description: `Operators only. Can be repeated: with \`ext:\` and an external id, creates the user who has it (201), or changes them (200); of several such requests at once, one creates. With another id, the user must exist. What is omitted stays as it is; \`metadata\` is replaced as a whole. ${OF_OPERATORS}`,
    status: 201,
    mayExist: true,
    location: '/users/{id}',
    reply: PresentedUser,
    errors: ['NOT_FOUND', 'CONFLICT'],
  })
  async putUser(
    @CurrentCaller() caller: Caller,
    // Not replaced by the id that it stands for: nobody may have it yet.
    @TargetIdParam('user, or `ext:` and the external id of one to create') id: string,
    @Body() body: CreateUserDto,
  ) {
    const put = await this.users.put(caller, id, givenUser(body));
    return replyWith(presentUser(put.user), put);
  }

  @Post(':id/api-keys')
  @ApiBody({ type: CreateApiKeyDto, examples: CREATE_API_KEY_BODIES })
  @Endpoint({
    summary: 'Create an API key for a user',
    scope: 'users:manage',
    description:
      'Operators only. The key acts for the user, who also sees and revokes it, and may do everything but manage users, unless `scopes` says less. It works no longer, and from no other addresses, than the API key of this request (403). The response is the only one that contains the full key. Not for operators (403) or service accounts (409).',
    status: 201,
    location: '/users/:id',
    reply: CreatedApiKey,
    secrets: ONCE,
    errors: ['NOT_FOUND', 'CONFLICT'],
  })
  async createUserKey(
    @CurrentCaller() caller: Caller,
    @IdParam('user') id: string,
    @Body() body: CreateApiKeyDto,
  ) {
    return reply(presentCreatedApiKey(await this.users.createKey(caller, id, body)));
  }

  @Patch(':id')
  @Endpoint({
    summary: 'Update a user',
    scope: 'users:manage',
    description: `Operators only. Takes effect with the next request of the user. Setting \`email\`, even to the same address, confirms that it is theirs: it is then verified. ${OF_OPERATORS}`,
    reply: PresentedUser,
    errors: ['NOT_FOUND', 'CONFLICT'],
  })
  async updateUser(
    @CurrentCaller() caller: Caller,
    @IdParam('user') id: string,
    @Body() { external_id: externalId, ...changes }: UpdateUserDto,
  ) {
    return reply(presentUser(await this.users.update(caller, id, { ...changes, externalId })));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete a user',
    scope: 'users:manage',
    description: `Operators only. Like \`DELETE /me\` of that user: personal recordings are deleted, those of organizations are kept and get another owner. ${OF_OPERATORS}`,
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
