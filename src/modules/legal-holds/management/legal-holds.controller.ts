import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { CursorPagination, replyCursorPage } from '../../../contract/cursor-pagination.dto.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { TargetIdParam } from '../../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { reply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { HOLD_LIMITS } from './legal-hold-limits.js';
import {
  ListLegalHoldsDto,
  PlaceLegalHoldDto,
  PresentedLegalHold,
  presentLegalHold,
} from './legal-hold.dto.js';
import { LegalHoldsService } from './legal-holds.service.js';

@ApiTags('Legal holds')
@Controller('legal-holds')
export class LegalHoldsController {
  constructor(private readonly holds: LegalHoldsService) {}

  @Post()
  @Endpoint({
    summary: 'Place a legal hold',
    scope: 'holds:manage',
    description: `What a hold covers cannot be deleted by anyone or any rule, moved out of its organization, or given other media, until the hold is lifted; versions of its texts are all kept.\n\n- For an \`OWNER\` of the organization, and operators.\n- Recordings, folders and people add up: it covers the recordings that it names, those in its folders and those that its people own, also those that are added later. A period limits that; without any of the three, the hold covers all recordings of the organization, or of the period.\n- What has been covered stays so, wherever it is moved. Holds may overlap: a recording is held until the last of them is lifted.\n- Without an organization, an operator names recordings or people, and the hold covers these recordings, or all that the people own, personal ones included.\n- At most ${HOLD_LIMITS.active} active ones per organization.`,
    status: 201,
    location: '/legal-holds/{id}',
    reply: PresentedLegalHold,
    errors: ['ORGANIZATION_NOT_FOUND', 'CONFLICT'],
  })
  async placeLegalHold(@CurrentCaller() caller: Caller, @Body() body: PlaceLegalHoldDto) {
    return reply(presentLegalHold(await this.holds.place(caller, body)));
  }

  @Get()
  @Endpoint({
    summary: 'List legal holds',
    scope: 'holds:manage',
    description:
      'Those of the organizations of which the caller is an `OWNER`, or, for operators, all; newest first.',
    reply: PresentedLegalHold,
    many: true,
    pagination: CursorPagination,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async listLegalHolds(@CurrentCaller() caller: Caller, @Query() query: ListLegalHoldsDto) {
    return replyCursorPage(await this.holds.list(caller, query), presentLegalHold);
  }

  @Get(':id')
  @Endpoint({
    summary: 'Get a legal hold',
    scope: 'holds:manage',
    description: 'With how much it holds.',
    reply: PresentedLegalHold,
    errors: ['NOT_FOUND'],
  })
  async getLegalHold(@CurrentCaller() caller: Caller, @TargetIdParam('legal hold') id: string) {
    return reply(presentLegalHold(await this.holds.get(caller, id)));
  }

  @Post(':id/lift')
  @Endpoint({
    summary: 'Lift a legal hold',
    scope: 'holds:manage',
    description:
      'What no other hold covers can be deleted again, and what rules would have deleted meanwhile is deleted with their next run. Versions of texts that only the hold has kept are removed. It cannot be undone.',
    reply: PresentedLegalHold,
    errors: ['NOT_FOUND', 'CONFLICT'],
  })
  async liftLegalHold(@CurrentCaller() caller: Caller, @TargetIdParam('legal hold') id: string) {
    return reply(presentLegalHold(await this.holds.lift(caller, id)));
  }
}
