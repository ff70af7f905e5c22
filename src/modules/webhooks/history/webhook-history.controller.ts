import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { CursorPagination, replyCursorPage } from '../../../contract/cursor-pagination.dto.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { reply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { ListDeliveriesDto, ReplayDeliveriesDto, TestWebhookDto } from '../dto/webhook.request.dto.js';
import {
  PresentedDelivery,
  PresentedDeliveryWithAttempts,
  presentDelivery,
  presentDeliveryWithAttempts,
  presentReplayed,
  ReplayedDeliveries,
} from '../dto/webhook-delivery.response.dto.js';
import { READS_WHAT_IS_SENT } from '../webhook-access.js';
import { WebhookHistoryService } from './webhook-history.service.js';
import { LIMITS } from '../../../contract/limits.js';

@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhookHistoryController {
  constructor(private readonly history: WebhookHistoryService) {}

  @Post(':id/test')
  @ApiBody({ type: TestWebhookDto, required: false })
  @Endpoint({
    summary: 'Test a webhook',
    scope: 'webhooks:manage',
    description:
      'Sends an event of the type `webhook.test` at once, whatever `types` the webhook has, even while it is disabled, and without retries. Get the delivery to see the result. At most five tests can be waiting (409).\n\nWith `event_type`, an event of this type, with `"test": true` beside its `type`: about the newest recording, share link, member or whatever it needs that the user responsible for the webhook owns or, for an organization, that is in it. `changes` are the example of the documentation. If there is nothing that it could be about, 409 says what to create.',
    status: 202,
    costly: true,
    reply: PresentedDelivery,
    errors: ['WEBHOOK_NOT_FOUND', 'CONFLICT'],
  })
  async testWebhook(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('webhook') id: string,
    @Body() { event_type: type }: TestWebhookDto,
  ) {
    return reply(presentDelivery(await this.history.test(caller, id, type)));
  }

  @Get(':id/deliveries')
  @Endpoint({
    summary: 'List deliveries',
    scope: 'webhooks:manage',
    description: `What has been or will be sent to the webhook, newest first. Kept for ${LIMITS.eventDays} days.`,
    reply: PresentedDelivery,
    many: true,
    pagination: CursorPagination,
    errors: ['WEBHOOK_NOT_FOUND'],
  })
  async listWebhookDeliveries(
    @CurrentCaller() caller: Caller,
    @IdParam('webhook') id: string,
    @Query() query: ListDeliveriesDto,
  ) {
    return replyCursorPage(await this.history.list(caller, id, query), presentDelivery);
  }

  @Get(':id/deliveries/:deliveryId')
  @Endpoint({
    summary: 'Get a delivery',
    scope: READS_WHAT_IS_SENT,
    description: 'With its attempts: what was sent, and how the receiver replied.',
    reply: PresentedDeliveryWithAttempts,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND'],
  })
  async getWebhookDelivery(
    @CurrentCaller() caller: Caller,
    @IdParam('webhook') id: string,
    @IdParam('delivery', 'deliveryId') deliveryId: string,
  ) {
    return reply(presentDeliveryWithAttempts(await this.history.get(caller, id, deliveryId)));
  }

  @Post(':id/deliveries/replay')
  @Endpoint({
    summary: 'Replay deliveries',
    scope: 'webhooks:manage',
    description: `Sends deliveries of a time again, as replaying each of them would: with \`status\` \`failed\` those that failed, without it all. Tests are left alone. At most ${LIMITS.webhookReplays} per request, the newest first: while \`has_more\` is true, repeat it with \`next_cursor\` as \`cursor\`.`,
    status: 202,
    costly: true,
    reply: ReplayedDeliveries,
    errors: ['WEBHOOK_NOT_FOUND', 'CONFLICT'],
  })
  async replayWebhookDeliveries(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('webhook') id: string,
    @Body() body: ReplayDeliveriesDto,
  ) {
    return reply(presentReplayed(await this.history.replayAll(caller, id, body)));
  }

  @Post(':id/deliveries/:deliveryId/replay')
  @Endpoint({
    summary: 'Replay a delivery',
    scope: 'webhooks:manage',
    description:
      'Sends it again at once, with the same `webhook-id` and as many attempts as a new one. A delivery that is being sent is left alone. A disabled webhook has to be enabled first (409).',
    status: 202,
    costly: true,
    reply: PresentedDelivery,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_DELIVERY_NOT_FOUND', 'CONFLICT'],
  })
  async replayWebhookDelivery(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('webhook') id: string,
    @IdParam('delivery', 'deliveryId') deliveryId: string,
  ) {
    return reply(presentDelivery(await this.history.replay(caller, id, deliveryId)));
  }
}
