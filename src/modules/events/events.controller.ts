import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { CurrentCaller } from '../../platform/http/current-caller.decorator.js';
import type { Reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { EventsPagination, PresentedEvent, presentEvents } from './dto/event.response.dto.js';
import { ListEventsDto } from './dto/list-events.dto.js';
import { EventsService } from './events.service.js';

@ApiTags('Events')
@Controller('events')
export class EventsController {
  constructor(private readonly events: EventsService) {}

  @Get()
  @Endpoint({
    summary: 'List events',
    description:
      'What happened in the last 30 days to the recordings, organizations, API keys and the user that the caller sees now, in the order in which it took effect. Recordings that were deleted or moved out of their sight are included as ids, if the caller saw them. To follow events, send `next_cursor` of every reply as `cursor` of the next request; nothing is skipped or repeated.',
    reply: PresentedEvent,
    many: true,
    pagination: EventsPagination,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND', 'CURSOR_EXPIRED'],
  })
  async listEvents(
    @CurrentCaller() caller: Caller,
    @Query() query: ListEventsDto,
  ): Promise<Reply<PresentedEvent[]> & { pagination: EventsPagination }> {
    return presentEvents(await this.events.list(caller, query));
  }
}
