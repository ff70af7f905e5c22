import { Check, Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { Plan, SubscriptionStatus } from '../../../policy/plans.js';
import { FeatureFlagColumns } from './feature-flags.embedded.js';

@Entity('organizations')
@Check('organizations_plan_check', `plan IN ('FREE', 'PRO', 'ENTERPRISE')`)
@Check(
  'organizations_subscription_status_check',
  `subscription_status IN ('active', 'trialing', 'past_due', 'canceled', 'expired')`,
)
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

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Set when it has been deleted and a job is still removing its recordings; it has no members then. */
  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;
}
