import { Check, Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { UserPlan } from '../../../policy/plans.js';

/** A person. API keys act on behalf of their user, who also owns recordings. */
@Entity('users')
@Check('users_plan_check', `plan IN ('FREE', 'PRO')`)
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

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
