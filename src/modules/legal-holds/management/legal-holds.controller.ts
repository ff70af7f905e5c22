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
    description: `Until the hold is lifted, no one and no rule can delete what it covers, move it out of its organization or replace its media, and every version of its texts is kept.\n\n- For an \`OWNER\` of the organization, and operators.\n- It covers the recordings that it names, those in its folders and those that its people own, now and later. \`from\` and \`to\` limit this to the meetings of a period. With neither recordings nor folders nor people, it covers all recordings of the organization, or of the period.\n- Once covered, a recording stays covered wherever it is moved. Holds may overlap: it is held until the last of them is lifted.\n- Without an organization, which only operators may leave out, it covers the recordings that it names and all that its people own, personal ones included.\n- At most ${HOLD_LIMITS.active} active holds per organization.`,
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
      'Active and lifted ones, newest first: of the organizations of which the caller is an `OWNER`; for operators, all.',
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
      'What no other hold covers can be deleted again, and what rules would have deleted meanwhile is deleted with their next run. Versions of texts that only this hold has kept are removed. This cannot be undone.',
    reply: PresentedLegalHold,
    errors: ['NOT_FOUND', 'CONFLICT'],
  })
  async liftLegalHold(@CurrentCaller() caller: Caller, @TargetIdParam('legal hold') id: string) {
    return reply(presentLegalHold(await this.holds.lift(caller, id)));
  }
}
