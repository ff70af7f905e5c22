import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { WebhookDelivery } from './webhook-delivery.entity.js';

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
