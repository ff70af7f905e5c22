import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ErasureModule } from '../erasure/erasure.module.js';
import { EventsModule } from '../events/events.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { FanoutService } from './delivery/fanout.service.js';
import { SenderService } from './delivery/sender.service.js';
import { WebhookAttempt, WebhookDelivery } from './entities/webhook-delivery.entity.js';
import { Webhook, WebhookSecret } from './entities/webhook.entity.js';
import { WebhookHistoryController } from './history/webhook-history.controller.js';
import { WebhookHistoryService } from './history/webhook-history.service.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhookMailService } from './webhook-mail.service.js';
import { WebhookRetentionService } from './webhook-retention.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Sends events to addresses that users name. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Webhook, WebhookSecret, WebhookDelivery, WebhookAttempt]),
    ErasureModule,
    EventsModule,
    OrganizationsModule,
  ],
  controllers: [WebhooksController, WebhookHistoryController],
  providers: [
    WebhooksService,
    WebhookSecretsService,
    WebhookHistoryService,
    FanoutService,
    SenderService,
    WebhookMailService,
    WebhookRetentionService,
  ],
})
export class WebhooksModule {}
