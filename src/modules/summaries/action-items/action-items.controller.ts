import { Body, Controller, Get, Patch, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { CursorPagination, replyCursorPage } from '../../../contract/cursor-pagination.dto.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { RECORDING_REFUSALS } from '../../../contract/error-responses.js';
import { IdParam } from '../../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { reply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { ActionItem, presentActionItem } from '../public/summary.response.dto.js';
import { ActionItemsService } from './action-items.service.js';
import {
  ActionItemDetails,
  presentListedActionItem,
  ListActionItemsDto,
  UPDATE_ACTION_ITEM_BODIES,
  UpdateActionItemDto,
} from './action-items.dto.js';

@ApiTags('Summaries')
@Controller()
export class ActionItemsController {
  constructor(private readonly actionItems: ActionItemsService) {}

  @Get('action-items')
  @Endpoint({
    summary: 'List action items',
    scope: 'recordings:read',
    description:
      'A page of the action items of all recordings whose summaries the caller can read, or of those that pass the filters: of the newest recordings first. Locked recordings, and those for which summaries are off, are left out.',
    reply: ActionItemDetails,
    many: true,
    compressed: true,
    pagination: CursorPagination,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async listActionItems(@CurrentCaller() caller: Caller, @Query() query: ListActionItemsDto) {
    return replyCursorPage(await this.actionItems.list(caller, query), presentListedActionItem);
  }

  @Patch('recordings/:id/action-items/:actionItemId')
  @ApiBody({ type: UpdateActionItemDto, examples: UPDATE_ACTION_ITEM_BODIES })
  @Endpoint({
    summary: 'Change an action item',
    scope: 'summaries:write',
    description:
      'Marks an action item of the summary as done, or changes its text, its owner or when it is due. It then stays as it is, whatever summary is generated later, and its `confidence` is null; the revision of the summary increases.',
    reply: ActionItem,
    shows: { as: 'ChangedActionItem', scope: 'recordings:read', always: ['id', 'done'] },
    errors: [...RECORDING_REFUSALS, 'ACTION_ITEM_NOT_FOUND'],
  })
  async updateActionItem(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @IdParam('action item', 'actionItemId') actionItemId: string,
    @Body() changes: UpdateActionItemDto,
  ) {
    return reply(presentActionItem(await this.actionItems.update(caller, id, actionItemId, changes)));
  }
}
