import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { CursorPagination, replyCursorPage } from '../../../contract/cursor-pagination.dto.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { reply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { ListDeliveriesDto } from '../dto/webhook.request.dto.js';
import {
  PresentedDelivery,
  PresentedDeliveryWithAttempts,
  presentDelivery,
  presentDeliveryWithAttempts,
} from '../dto/webhook-delivery.response.dto.js';
import { READS_WHAT_IS_SENT } from '../webhook-access.js';
import { WebhookHistoryService } from './webhook-history.service.js';
import { LIMITS } from '../../../contract/limits.js';

@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhookHistoryController {
  constructor(private readonly history: WebhookHistoryService) {}

  @Post(':id/test')
  @Endpoint({
    summary: 'Test a webhook',
    scope: 'webhooks:manage',
    description:
      'Sends an event of the type `webhook.test` at once, whatever `types` the webhook has, even while it is disabled, and without retries. Get the delivery to see the result. At most five tests can be waiting (409).',
    status: 202,
    costly: true,
    reply: PresentedDelivery,
    errors: ['WEBHOOK_NOT_FOUND', 'CONFLICT'],
  })
  async testWebhook(@CurrentCaller() caller: Caller, @TargetIdParam('webhook') id: string) {
    return reply(presentDelivery(await this.history.test(caller, id)));
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
