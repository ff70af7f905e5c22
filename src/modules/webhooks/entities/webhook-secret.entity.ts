import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { SealingKey } from '../../../platform/sealing/sealing-key.entity.js';
import { Webhook } from './webhook.entity.js';

/** A secret that signs what a webhook is sent. */
@Entity('webhook_secrets')
export class WebhookSecret {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhook_secrets_pkey' })
  id: string;

  @ForeignKey(() => Webhook, { name: 'webhook_secrets_webhook_id_fkey', onDelete: 'CASCADE' })
  @Index('webhook_secrets_webhook_id_idx')
  @Column('uuid', { name: 'webhook_id' })
  webhookId: string;

  /** `whsec_...`, sealed by `WebhookSecretsService`. */
  @Column('bytea', { name: 'secret_sealed' })
  secretSealed: Buffer;

  @ForeignKey(() => SealingKey, { name: 'webhook_secrets_sealing_key_id_fkey', onDelete: 'RESTRICT' })
  @Index('webhook_secrets_sealing_key_id_idx')
  @Column('text', { name: 'sealing_key_id' })
  sealingKeyId: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Null for the current one. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;
}
