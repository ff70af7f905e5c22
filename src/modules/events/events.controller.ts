import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import type { Caller } from '../../policy/caller.js';
import {
  EventsPagination,
  ListEventsDto,
  PresentedEvent,
  presentEvents,
  StreamEventsDto,
} from './dto/events.dto.js';
import { EventPagesService } from './event-pages.service.js';
import { EventStreamsService } from './streams/event-streams.service.js';
import { LIMITS } from '../../contract/limits.js';

@ApiTags('Events')
@Controller('events')
export class EventsController {
  constructor(
    private readonly pages: EventPagesService,
    private readonly streams: EventStreamsService,
  ) {}

  @Get()
  @Endpoint({
    summary: 'List events',
    scope: 'events:read',
    description: `What happened in the last ${LIMITS.eventDays} days to the recordings, organizations, API keys and the user that the caller sees now, in the order in which it took effect.\n\n- Recordings that were deleted or moved out of the caller's sight are included as ids, if the caller saw them; so is everything that the API key lacks the scope to read (\`recordings:read\`, \`organizations:read\`).\n- To follow events, send \`next_cursor\` of every reply as \`cursor\` of the next request; nothing is skipped or repeated.`,
    reply: PresentedEvent,
    many: true,
    pagination: EventsPagination,
    errors: ['ORGANIZATION_NOT_FOUND', 'CURSOR_EXPIRED'],
  })
  async listEvents(@CurrentCaller() caller: Caller, @Query() query: ListEventsDto) {
    return presentEvents(await this.pages.list(caller, query));
  }

  @Get('stream')
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'The `id` of the last message that was received, as `EventSource` clients send it when they reconnect',
    schema: { type: 'string' },
  })
  @Endpoint({
    summary: 'Stream events',
    scope: 'events:read',
    description: `The same events as messages of \`text/event-stream\`, as they happen: \`id\` is a cursor, \`event\` the type, and \`data\` the event as JSON.\n\n- With a cursor, what was missed since then, in the last ${LIMITS.eventDays} days, is sent first.\n- Every ${LIMITS.heartbeatSeconds} seconds there is a comment, with the \`id\` of the latest position that was checked.\n- Ends at once if the API key stops working, and with \`organization_id\` if the membership ends; the last message is \`end\`, whose \`data\` says why.\n- A client that does not read for ${LIMITS.slowStreamSeconds} seconds is disconnected.\n- A user can have ${LIMITS.eventStreams} streams at the same time; each counts as one request.`,
    reply: PresentedEvent,
    messages: true,
    errors: ['ORGANIZATION_NOT_FOUND', 'CURSOR_EXPIRED'],
  })
  async streamEvents(
    @CurrentCaller() caller: Caller,
    @Query() query: StreamEventsDto,
    @Req() request: Request,
    @Res() response: Response,
  ) {
    await this.streams.open(caller, query, request, response);
  }
}
