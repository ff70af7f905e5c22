import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';
import type { UserPlan } from '../../../policy/plans.js';

/** A person. API keys act on behalf of their user, who also owns recordings. */
@Entity('users')
@Check('users_plan_check', `plan IN ('FREE', 'PRO')`)
@Index('users_list_idx', { synchronize: false })
@Index('users_search_idx', { synchronize: false })
export class User {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'users_pkey' })
  id: string;

  /** Unique regardless of case (index on `lower(email)`). */
  @Column('text')
  email: string;

  @Column('text')
  name: string;

  @Column('text')
  plan: UserPlan;

  /** Runs the installation: manages all users, and the plans of organizations. Set from the command line only. */
  @Column('boolean', { default: false })
  operator: boolean;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
