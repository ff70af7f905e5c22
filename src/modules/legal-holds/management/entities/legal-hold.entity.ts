import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organization } from '../../../organizations/entities/organization.entity.js';

/**
 * Demands that recordings be kept. It covers those that it names, those in its folders and those that its people own;
 * if it names none of these, all; in each case only of its period, and of its organization.
 */
@Entity('legal_holds')
@Index('legal_holds_organization_id_idx', ['organizationId', 'createdAt', 'id'])
@Index('legal_holds_created_at_idx', ['createdAt', 'id'])
@Index('legal_holds_active_idx', ['organizationId'], { where: 'lifted_at IS NULL' })
export class LegalHold {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'legal_holds_pkey' })
  id: string;

  /** Null: placed by an operator, on recordings or people of the installation. */
  @ForeignKey(() => Organization, { name: 'legal_holds_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  /** The name of the case. */
  @Column('text')
  matter: string;

  @Column('text')
  reason: string;

  @Column('uuid', { name: 'recording_ids', array: true })
  recordingIds: readonly string[];

  @Column('uuid', { name: 'folder_ids', array: true })
  folderIds: readonly string[];

  /** Owners of recordings. */
  @Column('uuid', { name: 'user_ids', array: true })
  userIds: readonly string[];

  /** Of meetings that started then or later. */
  @Column({ type: 'timestamptz', name: 'from_at', precision: 3, nullable: true })
  fromAt: Date | null;

  @Column({ type: 'timestamptz', name: 'to_at', precision: 3, nullable: true })
  toAt: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'lifted_at', precision: 3, nullable: true })
  liftedAt: Date | null;
}
