import { Module } from '@nestjs/common';
import { ErasureModule } from '../erasure/erasure.module.js';
import { EventsModule } from '../events/events.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { DeliveryClaimsService } from './delivery/delivery-claims.service.js';
import { DeliveryMessagesService } from './delivery/delivery-messages.service.js';
import { DeliveryRequestService } from './delivery/delivery-request.service.js';
import { DeliveryResultsService } from './delivery/delivery-results.service.js';
import { WebhookFanoutService } from './delivery/webhook-fanout.service.js';
import { WebhookSenderService } from './delivery/webhook-sender.service.js';
import { WebhookHistoryController } from './history/webhook-history.controller.js';
import { WebhookHistoryService } from './history/webhook-history.service.js';
import { WebhookSecretsService } from './secrets/webhook-secrets.service.js';
import { WebhookMailService } from './webhook-mail.service.js';
import { WebhookUpkeepService } from './webhook-upkeep.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Sends events to addresses that users name. */
@Module({
  imports: [ErasureModule, EventsModule, OrganizationsModule],
  controllers: [WebhooksController, WebhookHistoryController],
  providers: [
    WebhooksService,
    WebhookSecretsService,
    WebhookHistoryService,
    WebhookFanoutService,
    WebhookSenderService,
    DeliveryClaimsService,
    DeliveryMessagesService,
    DeliveryRequestService,
    DeliveryResultsService,
    WebhookMailService,
    WebhookUpkeepService,
  ],
})
export class WebhooksModule {}
