import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organization } from '../../organizations/entities/organization.entity.js';
import { SealingKey } from '../../../platform/sealing/sealing-key.entity.js';
import { User } from '../../users/entities/user.entity.js';

/**
 * Disabled by its owner, after 410, after five days of failures, or as its member manages the organization no longer.
 */
export type DisabledReason = 'user' | 'gone' | 'failures' | 'creator_left';

/** A receiver of events: those that a user sees, or those of an organization. */
@Entity('webhooks')
@Check('webhooks_disabled_reason_check', `disabled_reason IN ('user', 'gone', 'failures', 'creator_left')`)
@Check('webhooks_owner_check', '(user_id IS NULL) <> (organization_id IS NULL)')
@Check('webhooks_enabled_check', 'enabled = (disabled_reason IS NULL)')
@Index('webhooks_user_id_idx', ['userId', 'createdAt', 'id'])
@Index('webhooks_organization_id_idx', ['organizationId', 'createdAt', 'id'])
export class Webhook {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'webhooks_pkey' })
  id: string;

  /** Null if it belongs to an organization. */
  @ForeignKey(() => User, { name: 'webhooks_user_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  @ForeignKey(() => Organization, { name: 'webhooks_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  /**
   * The user responsible for it, whose rights decide what it is sent; of a personal one, its user. A trigger disables
   * that of an organization when they are no longer OWNER or ADMIN. Null once they are deleted.
   */
  @ForeignKey(() => User, { name: 'webhooks_created_by_fkey', onDelete: 'SET NULL' })
  @Index('webhooks_created_by_idx')
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;

  /** Sealed by `WebhookSecretsService`. */
  @Column('bytea', { name: 'url_sealed' })
  urlSealed: Buffer;

  @ForeignKey(() => SealingKey, { name: 'webhooks_sealing_key_id_fkey', onDelete: 'RESTRICT' })
  @Index('webhooks_sealing_key_id_idx')
  @Column('text', { name: 'sealing_key_id' })
  sealingKeyId: string;

  /** Scheme and host. */
  @Column('text', { name: 'url_masked' })
  urlMasked: string;

  /** Names of the headers of its own; their values are sealed with the URL. */
  @Column('text', { name: 'header_names', array: true, default: [] })
  headerNames: string[];

  /** Counts its endpoints: what is sealed also changes with the key, which is not a change of the webhook. */
  @Column('integer', { name: 'url_version', default: 1 })
  urlVersion: number;

  /** Types of events, families (`recording.*`) and `*`. */
  @Column('text', { array: true })
  types: string[];

  @Column('text', { nullable: true })
  description: string | null;

  @Column('boolean')
  enabled: boolean;

  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: DisabledReason | null;

  /** The time of the first failed attempt after which none has succeeded. */
  @Column({ type: 'timestamptz', name: 'failing_since', precision: 3, nullable: true })
  failingSince: Date | null;

  /** A success, not always the last one. */
  @Column({ type: 'timestamptz', name: 'succeeded_at', precision: 3, nullable: true })
  succeededAt: Date | null;

  /** The receiver has asked for nothing to be sent until then. */
  @Column({ type: 'timestamptz', name: 'paused_until', precision: 3, nullable: true })
  pausedUntil: Date | null;

  /** The time when its owner was last emailed that it has been disabled. */
  @Column({ type: 'timestamptz', name: 'mailed_at', precision: 3, nullable: true })
  mailedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}

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
