import { PickType } from '@nestjs/swagger';
import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import type { ChangeTypeName } from '../../../contract/changes/change-catalog.js';
import { EVENT_TYPES, FAMILY_PATTERNS } from '../../../contract/changes/event-families.js';
import { LIMITS } from '../../../contract/limits.js';
import { EVENT_TYPE_NAMES } from '../../../contract/type-names.js';
import { BooleanField, ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { ListField } from '../../../platform/http/fields/list-fields.js';
import { isAfter } from '../../../platform/clock/timestamps.js';
import { IntegerParameter } from '../../../platform/http/fields/number-fields.js';
import {
  IdParameter,
  OutboundUrlField,
  TextField,
  TextParameter,
} from '../../../platform/http/fields/text-fields.js';
import { TimestampField } from '../../../platform/http/fields/time-fields.js';
import { Alongside, AtLeastOneField, requestField } from '../../../platform/http/fields/request-field.js';
import { HEADERS_RULE, problemOfHeaders } from '../webhook-headers.js';
import { DELIVERY_STATUSES, TEST_TYPE, type DeliveryStatus } from '../entities/webhook-delivery.entity.js';

const { min, max } = LIMITS.webhookTypes;

const Url = (options: { readonly optional?: true } = {}): PropertyDecorator =>
  OutboundUrlField('URL of the receiver: https, on port 443 or 1024 and above, of a public host', {
    ...LIMITS.webhookUrl,
    example: 'https://hooks.example.com/recordings',
    ...options,
  });

const Headers = (): PropertyDecorator =>
  requestField(
    `Headers that everything is sent with, at most ${LIMITS.webhookHeaders}: names with values, such as a token that the receiver asks for. Null or \`{}\`: none. The values are never returned`,
    { optional: true, nullable: true },
    {
      expects: (value) => problemOfHeaders(value) ?? HEADERS_RULE,
      schema: {
        type: 'object',
        maxProperties: LIMITS.webhookHeaders,
        additionalProperties: { type: 'string', minLength: 1, maxLength: LIMITS.webhookHeaderValue },
        example: { Authorization: 'Bearer 3f1c' },
      },
      accepts: { record: LIMITS.webhookHeaders },
      holds: (value) => problemOfHeaders(value) === null,
    },
  );

const Types = (options: { readonly optional?: true } = {}): PropertyDecorator =>
  ListField('Types of events to be sent, families of them (`recording.*`), or everything (`*`)', {
    min,
    max,
    known: EVENT_TYPE_NAMES,
    item: `is not a type of event, such as recording.completed, nor one of ${FAMILY_PATTERNS.join(', ')}, *`,
    expects: () =>
      `must be a list of ${min} to ${max} types of events, families of them such as recording.*, or *`,
    example: ['recording.*', 'transcript.completed'],
    ...options,
  });

const Description = (): PropertyDecorator =>
  TextField('What it is for', {
    ...LIMITS.webhookDescription,
    trim: true,
    optional: true,
    nullable: true,
    example: 'CRM',
  });

export class CreateWebhookDto {
  @Url()
  url: string;

  @Headers()
  headers?: Record<string, string> | null;

  @Types()
  types: string[];

  @Description()
  description?: string | null;

  @IdParameter(
    'Sends the events of this organization, to which the webhook then belongs; by default, all events that the caller can see',
    { optional: true, nullable: true, example: EXAMPLE_IDS.organization },
  )
  organization_id?: string | null;
}

export const CREATE_WEBHOOK_BODIES = {
  recordings: {
    summary: 'Whatever happens to recordings',
    value: { url: 'https://hooks.example.com/recordings', types: ['recording.*', 'transcript.completed'] },
  },
  organization: {
    summary: 'Everything that happens in an organization',
    value: {
      url: 'https://hooks.example.com/acme',
      types: ['*'],
      description: 'CRM',
      organization_id: EXAMPLE_IDS.organization,
    },
  },
};

@AtLeastOneField()
export class UpdateWebhookDto {
  @Url({ optional: true })
  url?: string;

  @Headers()
  headers?: Record<string, string> | null;

  @Types({ optional: true })
  types?: string[];

  @Description()
  description?: string | null;

  @BooleanField(
    'False: what happens from now on is not sent. True: it is sent again, first what was waiting, except with the `disabled_reason` `creator_left`',
    { optional: true, example: true },
  )
  enabled?: boolean;
}

export const UPDATE_WEBHOOK_BODIES = {
  enable: { summary: 'Enable it again', value: { enabled: true } },
  move: { summary: 'Send to another address', value: { url: 'https://hooks.example.com/v2' } },
  headers: {
    summary: 'Send with a token',
    value: { headers: { Authorization: 'Bearer 3f1c' } },
  },
};

export class ListWebhooksDto {
  @IdParameter("The webhooks of this organization; without it, the caller's own", {
    optional: true,
    example: EXAMPLE_IDS.organization,
  })
  organization_id?: string;
}

export class TestWebhookDto {
  @ChoiceField('Type of the event to send (default: `webhook.test`)', {
    values: EVENT_TYPES,
    name: 'EventType',
    optional: true,
    example: 'recording.completed',
  })
  event_type?: ChangeTypeName;
}

export class ListDeliveriesDto {
  @ChoiceField('Only deliveries with this status', {
    values: DELIVERY_STATUSES,
    name: 'WebhookDeliveryStatus',
    optional: true,
    example: 'failed',
  })
  status?: DeliveryStatus;

  @TextParameter(`Only deliveries of events of this type, or \`${TEST_TYPE}\``, {
    ...LIMITS.webhookType,
    optional: true,
    example: 'recording.completed',
  })
  type?: string;

  @IntegerParameter('Maximum number of deliveries per page', { ...LIMITS.page, example: 20 })
  limit: number = LIMITS.page.default;

  @CursorParameter('`next_cursor` of the previous page, of a request with the same parameters')
  cursor?: string;
}

export class ReplayDeliveriesDto extends PickType(ListDeliveriesDto, ['status', 'type', 'cursor']) {
  @Alongside<ReplayDeliveriesDto>(({ from, to }) => (isAfter(from, to) ? 'must not be after to' : null))
  @TimestampField('Only deliveries that were queued at this time or later (`created_at`)', {
    example: '2026-01-31T09:00:00Z',
  })
  from: string;

  @TimestampField('Only those that were queued until then; a date includes the whole day (UTC)', {
    optional: true,
    example: '2026-01-31T12:00:00Z',
  })
  to?: string;
}
