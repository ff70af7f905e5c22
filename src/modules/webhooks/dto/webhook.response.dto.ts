import { ApiSchema } from '@nestjs/swagger';
import {
  EnumProperty,
  IdProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
  UrlProperty,
} from '../../../platform/openapi/field.decorator.js';
import type { DisabledReason, Webhook } from '../entities/webhook.entity.js';
import type { IssuedWebhook, RevealedWebhook } from '../webhooks.service.js';
import { present } from '../../../contract/present.js';

const STATUSES = ['enabled', 'disabled'] as const;

@ApiSchema({ name: 'Webhook' })
export class PresentedWebhook {
  @IdProperty('Identifier of the webhook')
  id: string;

  @IdProperty(
    'The organization it belongs to and whose events it gets; null: all events that its user can see',
    { nullable: true },
  )
  organization_id: string | null;

  @IdProperty(
    'The user responsible for it, whose rights decide what is sent: its creator or, for an organization, the user who last enabled it, gave it its URL or took it over. Null if the user has been deleted',
    { nullable: true },
  )
  created_by: string | null;

  @UrlProperty(
    'URL of the receiver; in lists only scheme and host, such as `https://hooks.example.com/...`',
    { example: 'https://hooks.example.com/recordings' },
  )
  url: string;

  @StringListProperty('Names of the headers of its own; their values are never returned', {
    example: ['Authorization'],
  })
  headers: string[];

  @StringListProperty('Types of events, families of them (`recording.*`), or `*`', {
    example: ['recording.*', 'transcript.completed'],
  })
  types: string[];

  @TextProperty('What it is for; null if not given', { example: 'CRM', nullable: true })
  description: string | null;

  @EnumProperty('While it is `disabled`, nothing is sent to it', {
    values: STATUSES,
    name: 'WebhookStatus',
    example: 'enabled',
  })
  status: (typeof STATUSES)[number];

  @TextProperty(
    '`user`: with PATCH; `gone`: the receiver answered 410; `failures`: every attempt of five days failed; `creator_left`: the user responsible for it no longer manages the organization; null while it is enabled',
    { example: null, nullable: true },
  )
  disabled_reason: DisabledReason | null;

  @TimestampProperty(
    'Since when every attempt has failed; null if the last one succeeded, or there was none',
    { nullable: true, example: null },
  )
  failing_since: string | null;

  @TimestampProperty('When it was created')
  created_at: string;
}

@ApiSchema({ name: 'WebhookWithSecret' })
export class PresentedIssuedWebhook extends PresentedWebhook {
  @TextProperty(
    'What its requests are signed with; never returned again: null in the reply to a repeated request',
    {
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      nullable: true,
    },
  )
  secret: string | null;
}

/** Presents a webhook in a list: without what may be secret of its URL. */
export function presentListedWebhook(webhook: Webhook): PresentedWebhook {
  const { urlMasked: url, headerNames: headers, enabled } = webhook;
  return present(PresentedWebhook, { ...webhook, url, headers, status: enabled ? 'enabled' : 'disabled' });
}

export const presentWebhook = ({ webhook, url }: RevealedWebhook): PresentedWebhook => ({
  ...presentListedWebhook(webhook),
  url,
});

export const presentIssuedWebhook = ({ secret, ...revealed }: IssuedWebhook): PresentedIssuedWebhook => ({
  ...presentWebhook(revealed),
  secret,
});
