import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organization } from '../../organizations/entities/organization.entity.js';
import { User } from '../../users/entities/user.entity.js';
import type { ErasureCounts, ErasureReceipt, ErasureReview } from '../erasure-receipt.response.dto.js';

export const ERASURE_STATUSES = ['previewed', 'running', 'completed', 'failed'] as const;
export type ErasureStatus = (typeof ERASURE_STATUSES)[number];

/** The erasure of a person. Once it is completed, it does not say of whom. */
@Entity('erasures')
@Check('erasures_status_check', `status IN ('${ERASURE_STATUSES.join(`', '`)}')`)
@Check(
  'erasures_completed_check',
  `(status = 'completed') = (receipt IS NOT NULL) AND (receipt IS NULL OR (user_id IS NULL AND email IS NULL AND names = '{}'))`,
)
export class Erasure {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'erasures_pkey' })
  id: string;

  /** Null: in the whole installation. */
  @ForeignKey(() => Organization, { name: 'erasures_organization_id_fkey', onDelete: 'CASCADE' })
  @Index('erasures_organization_id_idx')
  @Column({ type: 'uuid', name: 'organization_id', nullable: true, update: false })
  organizationId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, update: false })
  createdAt: Date;

  /** Null: on the command line, or by a user who has been deleted. */
  @ForeignKey(() => User, { name: 'erasures_created_by_fkey', onDelete: 'SET NULL' })
  @Index('erasures_created_by_idx')
  @Column({ type: 'uuid', name: 'created_by', nullable: true, update: false })
  createdBy: string | null;

  /** This and the next two are those of `Person`. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  @Column('text', { nullable: true })
  email: string | null;

  @Column('text', { array: true })
  names: readonly string[];

  @Column('text')
  status: ErasureStatus;

  /** Why it has failed. */
  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  @Column({ type: 'jsonb', update: false })
  preview: { readonly counts: ErasureCounts; readonly review: readonly ErasureReview[] };

  @Column('jsonb', { nullable: true })
  receipt: ErasureReceipt | null;
}
