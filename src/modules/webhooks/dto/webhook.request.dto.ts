import { z } from '../../../platform/zod.js';
import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { EXAMPLE_IDS } from '../../../contract/example-ids.js';
import { LIMITS } from '../../../contract/limits.js';
import { WEBHOOK_TYPES } from '../../../contract/webhook-types.js';
import { lookupId, objectOf, timestamp, trimmedText } from '../../../platform/http/body-schemas.js';
import { ChoiceField, IdParameter, IntegerParameter, TextField } from '../../../platform/http/fields.js';
import { DELIVERY_STATUSES, TEST_TYPE, type DeliveryStatus } from '../entities/webhook-delivery.entity.js';

const { min, max } = LIMITS.webhookTypes;
const TYPES = `must be a list of ${min} to ${max} types of events, families of them such as recording.*, or *`;
const known = new Set(WEBHOOK_TYPES);

const url = trimmedText(LIMITS.webhookUrl).meta({
  description: 'Address of the receiver: https, on port 443 or one from 1024 up, of a public host',
});
const types = z
  .array(
    z.string({ error: TYPES }).refine((type) => known.has(type), {
      error: 'is no type of event, nor a family such as recording.*, nor *',
    }),
    { error: TYPES },
  )
  .min(min, { error: TYPES })
  .max(max, { error: TYPES })
  .transform((given) => [...new Set(given)])
  .meta({ description: 'Types of events to be sent, families of them (`recording.*`), or everything (`*`)' });
const description = trimmedText(LIMITS.webhookDescription)
  .nullable()
  .optional()
  .meta({ description: 'What it is for, 1 to 200 characters' });

const CREATE_FIELDS = ['url', 'types', 'description', 'organization_id'] as const;

export const CREATE_WEBHOOK = z
  .strictObject(
    {
      url,
      types,
      description,
      organization_id: lookupId().nullable().optional().meta({
        description:
          'For the events of this organization, which the webhook then belongs to; otherwise, for all events that the caller sees',
      }),
    },
    { error: objectOf(CREATE_FIELDS) },
  )
  .meta({ title: 'CreateWebhookRequest' });
export type CreateWebhook = z.output<typeof CREATE_WEBHOOK>;

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

const UPDATE_FIELDS = ['url', 'types', 'description', 'enabled'] as const;

export const UPDATE_WEBHOOK = z
  .strictObject(
    {
      url: url.optional(),
      types: types.optional(),
      description,
      enabled: z.boolean({ error: 'must be true or false' }).optional().meta({
        description:
          'False: what happens from now on is not sent. True: it is sent again, first what was waiting, except with the `disabled_reason` `creator_left`',
      }),
    },
    { error: objectOf(UPDATE_FIELDS) },
  )
  .refine((given) => Object.keys(given).length > 0, {
    error: `must have at least one of ${UPDATE_FIELDS.join(', ')}`,
  })
  .meta({ title: 'UpdateWebhookRequest' });
export type UpdateWebhook = z.output<typeof UPDATE_WEBHOOK>;

export const UPDATE_WEBHOOK_BODIES = {
  enable: { summary: 'Enable it again', value: { enabled: true } },
  move: { summary: 'Send to another address', value: { url: 'https://hooks.example.com/v2' } },
};

export class ListWebhooksDto {
  @IdParameter({
    optional: true,
    description: "The webhooks of this organization; without it, the caller's own",
    example: EXAMPLE_IDS.organization,
  })
  organization_id?: string;
}

export class ListDeliveriesDto {
  @ChoiceField({
    values: DELIVERY_STATUSES,
    name: 'WebhookDeliveryStatus',
    optional: true,
    description: 'Only deliveries with this status',
    example: 'failed',
  })
  status?: DeliveryStatus;

  @TextField({
    min: 1,
    max: 100,
    optional: true,
    description: `Only deliveries of events of this type, or \`${TEST_TYPE}\``,
    example: 'recording.completed',
  })
  type?: string;

  @IntegerParameter({ ...LIMITS.page, description: 'Maximum number of deliveries per page', example: 20 })
  limit: number = LIMITS.page.default;

  @CursorParameter({
    description: '`next_cursor` of the previous page, of a request with the same parameters',
  })
  cursor?: string;
}

export const REPLAY_WEBHOOK = z
  .strictObject(
    {
      since: timestamp().meta({
        description: 'Events that happened since then are sent again; within the last 30 days',
      }),
    },
    { error: objectOf(['since']) },
  )
  .meta({ title: 'ReplayWebhookRequest' });
export type ReplayWebhook = z.output<typeof REPLAY_WEBHOOK>;

export const REPLAY_WEBHOOK_BODIES = {
  since: { summary: 'Everything since the receiver failed', value: { since: '2026-11-20T00:00:00Z' } },
};
