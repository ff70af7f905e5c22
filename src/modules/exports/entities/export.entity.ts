import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { nullableBytes } from '../../../platform/database/bytes.column.js';
import { OrganizationMember } from '../../organizations/entities/organization-member.entity.js';
import { Recording } from '../../recordings/access/entities/recording.entity.js';
import { User } from '../../users/entities/user.entity.js';

export const EXPORT_KINDS = ['recording', 'user', 'organization'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

export const EXPORT_STATUSES = ['queued', 'running', 'completed', 'failed'] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];

/** A ZIP file that a user has requested. */
@Entity('exports')
@Check('exports_kind_check', `kind IN ('recording', 'user', 'organization')`)
@Check('exports_status_check', `status IN ('queued', 'running', 'completed', 'failed')`)
@Check(
  'exports_of_check',
  `(kind = 'recording') = (recording_id IS NOT NULL) AND (kind = 'organization') = (organization_id IS NOT NULL)`,
)
@Index('exports_organization_idx', ['organizationId', 'userId'], { where: 'organization_id IS NOT NULL' })
@ForeignKey(() => OrganizationMember, ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'exports_organization_fkey',
  onDelete: 'CASCADE',
})
export class Export {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'exports_pkey' })
  id: string;

  @ForeignKey(() => User, { name: 'exports_user_id_fkey', onDelete: 'CASCADE' })
  @Index('exports_user_id_idx')
  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Column('text')
  kind: ExportKind;

  @ForeignKey(() => Recording, { name: 'exports_recording_id_fkey', onDelete: 'CASCADE' })
  @Index('exports_recording_id_idx', { where: 'recording_id IS NOT NULL' })
  @Column('uuid', { name: 'recording_id', nullable: true })
  recordingId: string | null;

  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  /** Only recordings created from then on, and before `createdTo`. */
  @Column({ type: 'timestamptz', name: 'created_from', precision: 3, nullable: true })
  createdFrom: Date | null;

  @Column({ type: 'timestamptz', name: 'created_to', precision: 3, nullable: true })
  createdTo: Date | null;

  @Column('text')
  status: ExportStatus;

  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  /** Fraction of the recordings, 0 to 1. */
  @Column('double precision')
  progress: number;

  /** The current attempt, which names the object; one that was superseded finds another id here and gives up. */
  @Column('uuid', { name: 'attempt_id', nullable: true })
  attemptId: string | null;

  @Column('bigint', { nullable: true, transformer: nullableBytes })
  size: number | null;

  /** Lower-case hexadecimal. */
  @Column('text', { nullable: true })
  sha256: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Index('exports_expires_at_idx')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

/** The prefix of the keys of all objects of exports. */
export const EXPORT_OBJECTS = 'exports/';

/** The key of the object that an attempt writes. Every attempt has its own. */
export const objectOf = ({ id, attemptId }: Pick<Export, 'id' | 'attemptId'>): string =>
  `${EXPORT_OBJECTS}${id}/${attemptId}.zip`;
