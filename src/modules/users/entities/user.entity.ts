import { Check, Column, CreateDateColumn, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { UserPlan } from '../../../policy/plans.js';

/** A person, or a service account of an organization. API keys act on behalf of their user, who also owns recordings. */
@Entity('users')
@Check('users_plan_check', `plan IN ('FREE', 'PRO')`)
@Check('users_service_check', `service_of IS NULL OR NOT (operator OR email_verified)`)
@Index('users_email_key', { synchronize: false })
@Index('users_email_idx', { synchronize: false })
@Index('users_list_idx', { synchronize: false })
@Index('users_search_idx', { synchronize: false })
@Index('users_external_id_key', { synchronize: false })
@Index('users_metadata_idx', { synchronize: false })
export class User {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id: string;

  /** Where verified, unique regardless of case (partial index on `lower(email)`). */
  @Column('text')
  email: string;

  /**
   * Whether the address is known to be theirs: the host or an operator has set it, or an invitation was emailed to it.
   * An address that is not is merely what they call themselves: any number of users may have it, and nobody is found by
   * it.
   */
  @Column('boolean', { name: 'email_verified', default: false })
  emailVerified: boolean;

  @Column('text')
  name: string;

  @Column('text')
  plan: UserPlan;

  /** Runs the installation: manages all users, and the plans of organizations. Set from the command line only. */
  @Column('boolean', { default: false })
  operator: boolean;

  /**
   * The organization whose service account this is, with a membership that the list of its members leaves out; null for
   * a person.
   */
  @Index('users_service_of_idx', { where: 'service_of IS NOT NULL' })
  // By its name: organizations depend on users.
  @ForeignKey('Organization', { name: 'users_service_of_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'service_of', nullable: true })
  serviceOf: string | null;

  @Column('text', { name: 'external_id', nullable: true })
  externalId: string | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, string>;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
