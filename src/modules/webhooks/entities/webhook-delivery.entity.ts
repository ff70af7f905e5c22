import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { Audience } from '../../../contract/changes/change-details.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The type of what `POST /webhooks/:id/test` sends unless another is asked for; no change causes it. */
export const TEST_TYPE = 'webhook.test';

/** An event that a webhook is to be sent, or has been sent. At most one for each webhook and event. */
@Entity('webhook_deliveries')
@Check('webhook_deliveries_status_check', `status IN ('pending', 'delivered', 'failed')`)
@Index('webhook_deliveries_event_key', ['webhookId', 'eventId'], { unique: true })
@Index('webhook_deliveries_list_idx', ['webhookId', 'createdAt', 'id'])
@Index('webhook_deliveries_status_idx', ['webhookId', 'status', 'createdAt', 'id'])
@Index('webhook_deliveries_type_idx', ['webhookId', 'type', 'createdAt', 'id'])
@Index('webhook_deliveries_organization_idx', ['organizationId', 'userId'], {
  where: 'organization_id IS NOT NULL',
})
@Index('webhook_deliveries_due_idx', ['webhookId', 'dueAt', 'position'], { where: `status = 'pending'` })
@Index('webhook_deliveries_order_idx', ['webhookId', 'recordingId', 'position'], {
  where: `status = 'pending' AND recording_id IS NOT NULL`,
})
export class WebhookDelivery {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_deliveries_pkey' })
  id: string;

  /** This has no foreign key: a deleted webhook's deliveries are removed in batches. */
  @Column('uuid', { name: 'webhook_id' })
  webhookId: string;

  /** The change that caused it; of a test, an id of its own. */
  @Column('uuid', { name: 'event_id' })
  eventId: string;

  /** The following are those of the event. Null for a test. */
  @Column('bigint', { nullable: true })
  position: string | null;

  @Column('text')
  type: string;

  @Column('text', { nullable: true })
  audience: Audience | null;

  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @Index('webhook_deliveries_recording_idx', { where: 'recording_id IS NOT NULL' })
  @Column('uuid', { name: 'recording_id', nullable: true })
  recordingId: string | null;

  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  /** What a test of a type of event is about; null for all others, whose rows of the log say so. */
  @Column('uuid', { name: 'target_id', nullable: true })
  targetId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  at: Date;

  @Column('text')
  status: DeliveryStatus;

  /** Attempts since it was queued, or queued again by a replay. */
  @Column('integer', { default: 0 })
  tries: number;

  /** The time to send a pending one; while it is being sent, the time when another process would take it over. */
  @Column({ type: 'timestamptz', name: 'due_at', precision: 3 })
  dueAt: Date;

  /** The claim of the process that is sending it; null between attempts. */
  @Column('uuid', { nullable: true })
  claim: string | null;

  @Index('webhook_deliveries_created_at_idx')
  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;
}

/** One request to a receiver: what was really sent, and what came back. */
@Entity('webhook_attempts')
@Index('webhook_attempts_delivery_id_idx', ['deliveryId', 'at', 'id'])
export class WebhookAttempt {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_attempts_pkey' })
  id: string;

  @ForeignKey(() => WebhookDelivery, { name: 'webhook_attempts_delivery_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'delivery_id' })
  deliveryId: string;

  @Column({ type: 'timestamptz', precision: 3 })
  at: Date;

  @Column('integer', { name: 'duration_ms' })
  durationMs: number;

  /** Masked. */
  @Column('text')
  url: string;

  /** Null once the recording, member or organization that it is about has been deleted. */
  @Column('text', { nullable: true })
  body: string | null;

  @Column('integer', { name: 'response_status', nullable: true })
  responseStatus: number | null;

  /** The beginning, written by the receiver: never to be trusted, nor logged. */
  @Column('text', { name: 'response_body', nullable: true })
  responseBody: string | null;

  @Column('text', { nullable: true })
  error: string | null;
}
