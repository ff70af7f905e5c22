import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanProperty,
  EnumProperty,
  IdProperty,
  IntegerProperty,
  NestedProperty,
  TextProperty,
  TimestampProperty,
  UrlProperty,
} from '../../../platform/openapi/field.decorator.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../entities/webhook-delivery.entity.js';
import type { ListedDelivery } from '../history/webhook-history.queries.js';
import type { DeliveryWithAttempts } from '../history/webhook-history.service.js';
import { NextCursorProperty } from '../../../contract/cursor-pagination.dto.js';
import { present } from '../../../contract/present.js';
import type { CursorPage } from '../../../platform/http/replies/cursor.js';
import { LIMITS } from '../../../contract/limits.js';

@ApiSchema({ name: 'WebhookDelivery' })
export class PresentedDelivery {
  @IdProperty('Identifier of the delivery')
  id: string;

  @IdProperty('The webhook')
  webhook_id: string;

  @IdProperty('The event: `webhook-id` of the requests')
  event_id: string;

  @TextProperty('Type of the event, or `webhook.test`', { example: 'recording.completed' })
  type: string;

  @BooleanProperty('Whether it is a test: no such event has happened', { example: false })
  test: boolean;

  @TimestampProperty('When the event happened')
  timestamp: string;

  @IdProperty('Organization of the event; null if it has none', { nullable: true })
  organization_id: string | null;

  @IdProperty('Recording of the event; null if it has none', { nullable: true })
  recording_id: string | null;

  @EnumProperty(
    '`pending`: is being sent, or will be; `delivered`: the receiver answered with a 2xx status; `failed`: ten attempts failed, or it was waiting when someone else became responsible for the webhook',
    { values: DELIVERY_STATUSES, name: 'WebhookDeliveryStatus', example: 'delivered' },
  )
  status: DeliveryStatus;

  @IntegerProperty('Attempts so far, also those before a replay', { example: 1 })
  attempt_count: number;

  @IntegerProperty('Status of the reply to the last attempt; null if there was none', {
    example: 200,
    nullable: true,
  })
  response_status: number | null;

  @TextProperty('Why the last attempt failed, if not because of the status', {
    example: null,
    nullable: true,
  })
  error: string | null;

  @TimestampProperty('When it was queued')
  created_at: string;

  @TimestampProperty('When a `pending` one is sent; null while it is being sent, and once it has ended', {
    nullable: true,
    example: null,
  })
  next_attempt_at: string | null;

  @TimestampProperty('When it was `delivered` or `failed`; null before', { nullable: true })
  ended_at: string | null;
}

@ApiSchema({ name: 'WebhookAttempt' })
export class PresentedAttempt {
  @IdProperty('Identifier of the attempt')
  id: string;

  @TimestampProperty('When it began: `webhook-timestamp`, in seconds')
  at: string;

  @IntegerProperty('How long it took, in milliseconds', { example: 120 })
  duration_ms: number;

  @UrlProperty('Scheme and host of where it was sent', { example: 'https://hooks.example.com/...' })
  url: string;

  @TextProperty(
    'The body that was sent; null once the recording, member or organization that it shows is gone',
    {
      example: '{"type":"recording.completed","timestamp":"2026-01-31T09:30:00.000Z","data":{}}',
      nullable: true,
    },
  )
  body: string | null;

  @IntegerProperty('Status of the reply; null if there was none', { example: 200, nullable: true })
  response_status: number | null;

  @TextProperty('The first KiB of the reply; null if there was none, or once `body` is null', {
    example: 'ok',
    nullable: true,
  })
  response_body: string | null;

  @TextProperty('Why it failed, if not because of the status', {
    example: null,
    nullable: true,
  })
  error: string | null;
}

@ApiSchema({ name: 'WebhookDeliveryWithAttempts' })
export class PresentedDeliveryWithAttempts extends PresentedDelivery {
  @NestedProperty(() => [PresentedAttempt], `The last ${LIMITS.webhookAttempts} attempts, newest first`)
  attempts: PresentedAttempt[];
}

@ApiSchema({ name: 'ReplayedWebhookDeliveries' })
export class ReplayedDeliveries {
  @IntegerProperty('How many are sent again', { example: 12 })
  replayed: number;

  @BooleanProperty('Whether there are more', { example: false })
  has_more: boolean;

  @NextCursorProperty()
  next_cursor: string | null;
}

export const presentReplayed = ({ rows, ...page }: CursorPage<unknown>): ReplayedDeliveries =>
  present(ReplayedDeliveries, { ...page, replayed: rows.length });

export function presentDelivery(delivery: ListedDelivery): PresentedDelivery {
  const { status, claim, createdAt, dueAt } = delivery;
  const waits = status === 'pending' && claim === null;
  const nextAttemptAt = waits ? (dueAt > createdAt ? dueAt : createdAt) : null;
  return present(PresentedDelivery, {
    ...delivery,
    test: delivery.position === null,
    timestamp: delivery.at,
    nextAttemptAt,
  });
}

export const presentDeliveryWithAttempts = ({
  delivery,
  attempts,
}: DeliveryWithAttempts): PresentedDeliveryWithAttempts => ({
  ...presentDelivery(delivery),
  attempts: attempts.map((attempt) => present(PresentedAttempt, attempt)),
});
