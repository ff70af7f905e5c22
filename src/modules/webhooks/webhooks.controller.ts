import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { reply, succeed, SuccessReply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import {
  CREATE_WEBHOOK_BODIES,
  CreateWebhookDto,
  ListWebhooksDto,
  UPDATE_WEBHOOK_BODIES,
  UpdateWebhookDto,
} from './dto/webhook.request.dto.js';
import {
  PresentedIssuedWebhook,
  presentIssuedWebhook,
  presentListedWebhook,
  PresentedWebhook,
  presentWebhook,
} from './dto/webhook.response.dto.js';
import { READS_WHAT_IS_SENT } from './webhook-access.js';
import { WebhooksService } from './webhooks.service.js';
import { LIMITS } from '../../contract/limits.js';

const SIGNED =
  'Requests are signed by the Standard Webhooks specification: `webhook-signature` contains, for each secret, `v1,` and the base64 HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, joined by dots.';

const SECRET_SHOWN_ONCE = {
  at: ['secret'],
  notice:
    'The secret is in the first reply only. If that was lost, POST /api/v1/webhooks/{id}/rotate-secret issues another.',
};

@ApiTags('Webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @ApiBody({ type: CreateWebhookDto, examples: CREATE_WEBHOOK_BODIES })
  @Endpoint({
    summary: 'Create a webhook',
    scope: READS_WHAT_IS_SENT,
    description: `Sends events to the URL from now on: those that the caller can see, in all organizations. The response contains \`secret\`.\n\n- With \`organization_id\`, those of this organization (\`OWNER\` and \`ADMIN\` only). The caller is then responsible for the webhook, which is disabled when they no longer manage the organization.\n- ${SIGNED}\n- At most 20 per user and 20 per organization.`,
    status: 201,
    location: '/webhooks/{id}',
    reply: PresentedIssuedWebhook,
    secrets: SECRET_SHOWN_ONCE,
    errors: ['ORGANIZATION_NOT_FOUND', 'CONFLICT'],
  })
  async createWebhook(@CurrentCaller() caller: Caller, @Body() body: CreateWebhookDto) {
    return reply(presentIssuedWebhook(await this.webhooks.create(caller, body)));
  }

  @Get()
  @Endpoint({
    summary: 'List webhooks',
    scope: 'webhooks:manage',
    description:
      "The caller's own, oldest first; with `organization_id`, those of the organization (`OWNER` and `ADMIN` only). Never their secrets, and of their URLs only scheme and host.",
    reply: PresentedWebhook,
    many: true,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async listWebhooks(
    @CurrentCaller() caller: Caller,
    @Query() { organization_id: organizationId }: ListWebhooksDto,
  ) {
    return reply((await this.webhooks.list(caller, organizationId)).map(presentListedWebhook));
  }

  @Get(':id')
  @Endpoint({
    summary: 'Get a webhook',
    scope: 'webhooks:manage',
    description: 'Includes since when it has been failing, and why it is disabled.',
    reply: PresentedWebhook,
    errors: ['WEBHOOK_NOT_FOUND'],
  })
  async getWebhook(@CurrentCaller() caller: Caller, @IdParam('webhook') id: string) {
    return reply(presentWebhook(await this.webhooks.get(caller, id)));
  }

  @Patch(':id')
  @ApiBody({ type: UpdateWebhookDto, examples: UPDATE_WEBHOOK_BODIES })
  @Endpoint({
    summary: 'Update a webhook',
    scope: READS_WHAT_IS_SENT,
    description:
      'Changes the URL, headers, types or description, disables the webhook, or enables it again.\n\n- Headers that are not named stay as they are; with a URL of another host, they have to be given again.\n- Once it is enabled, deliveries that were waiting when it was disabled are sent; `GET /events` has what happened while it was disabled.\n- A user who enables a webhook of an organization, or gives it another URL, is responsible for it from then on.\n- If it was disabled because the user responsible for it no longer manages the organization (`creator_left`), waiting deliveries are sent only if they are replayed.',
    reply: PresentedWebhook,
    errors: ['WEBHOOK_NOT_FOUND'],
  })
  async updateWebhook(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('webhook') id: string,
    @Body() body: UpdateWebhookDto,
  ) {
    return reply(presentWebhook(await this.webhooks.update(caller, id, body)));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete a webhook',
    scope: 'webhooks:manage',
    description: 'Nothing more is sent to it. Also deletes the history of what was sent.',
    reply: SuccessReply,
    errors: ['WEBHOOK_NOT_FOUND'],
  })
  async deleteWebhook(@CurrentCaller() caller: Caller, @TargetIdParam('webhook') id: string) {
    return succeed(this.webhooks.delete(caller, id));
  }

  @Post(':id/rotate-secret')
  @Endpoint({
    summary: 'Rotate the secret of a webhook',
    scope: 'webhooks:manage',
    description: `The response contains the new \`secret\`. For ${LIMITS.webhookSecretHours} hours, requests are also signed with the previous one, so that you have time to change the receiver.`,
    status: 201,
    location: '/webhooks/:id',
    reply: PresentedIssuedWebhook,
    secrets: SECRET_SHOWN_ONCE,
    errors: ['WEBHOOK_NOT_FOUND'],
  })
  async rotateWebhookSecret(@CurrentCaller() caller: Caller, @TargetIdParam('webhook') id: string) {
    return reply(presentIssuedWebhook(await this.webhooks.rotateSecret(caller, id)));
  }
}
