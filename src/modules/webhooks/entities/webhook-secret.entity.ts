import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { SealingKey } from '../../../platform/sealing/sealing-key.entity.js';
import { Webhook } from './webhook.entity.js';

/** A secret that signs what a webhook is sent. */
@Entity('webhook_secrets')
export class WebhookSecret {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_secrets_pkey' })
  id: string;

  @Index('webhook_secrets_webhook_id_idx')
  @Column('uuid', { name: 'webhook_id' })
  webhookId: string;

  @ManyToOne(() => Webhook, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'webhook_id', foreignKeyConstraintName: 'webhook_secrets_webhook_id_fkey' })
  webhook?: Relation<Webhook>;

  /** `whsec_...`, sealed by `WebhookSecretsService`. */
  @Column('bytea', { name: 'secret_sealed' })
  secretSealed: Buffer;

  @Index('webhook_secrets_sealing_key_id_idx')
  @Column('text', { name: 'sealing_key_id' })
  sealingKeyId: string;

  @ManyToOne(() => SealingKey, { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'sealing_key_id', foreignKeyConstraintName: 'webhook_secrets_sealing_key_id_fkey' })
  sealingKey?: Relation<SealingKey>;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Null for the current one. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;
}
