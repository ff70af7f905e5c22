import { Body, Controller, Delete, Patch, Query } from '@nestjs/common';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { reply, type Reply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { PresentedDeparture, presentDeparture } from '../../organizations/public/departure.response.dto.js';
import { DeleteMeDto, UpdateMeDto } from './dto/manage-users.dto.js';
import { PresentedUser, presentUser } from './dto/user.response.dto.js';
import { UserManagementService } from './user-management.service.js';

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
  async updateMe(
    @CurrentCaller() caller: Caller,
    @Body() { name }: UpdateMeDto,
  ): Promise<Reply<PresentedUser>> {
    return reply(presentUser(await this.management.updateMe(caller, { name })));
  }

  @Delete()
  @Endpoint({
    summary: 'Delete the current user',
    scope: 'profile:write',
    description:
      "Permanently deletes the user, whose email address confirms it (`confirm`), with their personal recordings and share links. Recordings of organizations are kept and get another owner; webhooks of organizations that the user was responsible for are disabled. Refused (409) for the last `OWNER` of an organization. Requests with the user's keys are then rejected with `USER_NOT_FOUND`.",
    reply: PresentedDeparture,
    errors: ['CONFLICT'],
  })
  async deleteMe(
    @CurrentCaller() caller: Caller,
    @Query() query: DeleteMeDto,
  ): Promise<Reply<PresentedDeparture>> {
    return reply(presentDeparture(await this.management.deleteMe(caller, query)));
  }
}
