import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organization } from '../../organizations/entities/organization.entity.js';
import { SealingKey } from '../../../platform/sealing/sealing-key.entity.js';
import { User } from '../../users/entities/user.entity.js';

/**
 * The reason why a webhook is disabled: by its owner, because its receiver answered 410, after five days of failures,
 * or because the member responsible for it no longer manages the organization.
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
   * The user who is responsible for it, and whose rights decide what it is sent; of a personal one, its user. One of an
   * organization is disabled by a trigger when they are no longer OWNER or ADMIN there. Null once they are deleted.
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

  /** Counts its endpoints: what is sealed also changes with the key, which is no change of the webhook. */
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
