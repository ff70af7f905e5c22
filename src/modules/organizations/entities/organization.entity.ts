import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Plan, SubscriptionStatus } from '../../../policy/plans.js';
import { FeatureFlagColumns } from './membership.columns.js';

@Entity('organizations')
@Check('organizations_plan_check', `plan IN ('FREE', 'PRO', 'ENTERPRISE')`)
@Check(
  'organizations_subscription_status_check',
  `subscription_status IN ('active', 'trialing', 'past_due', 'canceled', 'expired')`,
)
@Check('organizations_api_key_max_days_check', 'api_key_max_days BETWEEN 1 AND 3650')
@Check('organizations_bin_days_check', 'bin_days BETWEEN 0 AND 365')
@Check('organizations_branding_accent_check', `branding_accent ~ '^#[0-9a-f]{6}$'`)
@Index('organizations_key_limits_idx', { synchronize: false })
@Index('organizations_external_id_idx', { synchronize: false })
export class Organization {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'organizations_pkey' })
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  plan: Plan;

  @Column('text', { name: 'subscription_status', default: 'active' })
  subscriptionStatus: SubscriptionStatus;

  @Column({ type: 'timestamptz', name: 'subscription_ends_at', precision: 3, nullable: true })
  subscriptionEndsAt: Date | null;

  @Column(() => FeatureFlagColumns, { prefix: false })
  features: FeatureFlagColumns;

  /** Whether those who are neither OWNER nor ADMIN may move their own recordings out of it. */
  @Column('boolean', { name: 'members_may_take_recordings', default: false })
  membersMayTakeRecordings: boolean;

  /** The longest life of the API keys that it accepts, in days; null: any. */
  @Column('integer', { name: 'api_key_max_days', nullable: true })
  apiKeyMaxDays: number | null;

  /** The identity provider with which members must have signed in to reach it, or to make a key that does; null: any way. */
  @Column('text', { name: 'sso_provider', nullable: true })
  ssoProvider: string | null;

  /** The OAuth clients whose connections reach it, by `client_id`; null: any. */
  @Column('text', { name: 'oauth_clients', array: true, nullable: true })
  oauthClients: readonly string[] | null;

  /** For how many days deleted recordings can be restored; null: as the installation has it. */
  @Column('integer', { name: 'bin_days', nullable: true })
  binDays: number | null;

  /** Whether the voices of speakers are kept; a trigger deletes them when it no longer is. */
  @Column('boolean', { name: 'remember_voices', default: false })
  rememberVoices: boolean;

  /** `#rrggbb`; share pages have it in shades that are legible. */
  @Column('text', { name: 'branding_accent', nullable: true })
  brandingAccent: string | null;

  /** The host name of its share pages, in lower case; null: that of the service. */
  @Index('organizations_branding_domain_key', { unique: true })
  @Column('text', { name: 'branding_domain', nullable: true })
  brandingDomain: string | null;

  /** The version of its logo, which is in the address; null without one. */
  @Index('organizations_branding_logo_key', { unique: true })
  @Column('uuid', { name: 'branding_logo', nullable: true })
  brandingLogo: string | null;

  /** The logo, WebP. */
  @Column('bytea', { name: 'branding_image', nullable: true, select: false })
  brandingImage: Buffer | null;

  @Column('text', { name: 'external_id', nullable: true })
  externalId: string | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, string>;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Set when it has been deleted and a job is still removing its recordings; it has no members then. */
  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;
}
