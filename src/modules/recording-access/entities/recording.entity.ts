import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { RecordingStatus } from '../../../policy/recording-status.js';
import { Folder } from '../../organizations/entities/folder.entity.js';
import { Organization } from '../../organizations/entities/organization.entity.js';
import { User } from '../../users/entities/user.entity.js';

/**
 * A recorded meeting. The list's indexes have orders and predicates that decorators cannot say; the migration makes
 * them, and they are named here so that nothing takes them for drift.
 */
@Entity('recordings')
@Check(
  'recordings_status_check',
  `status IN ('STARTING', 'CONNECTING', 'WAIT_APPROVAL', 'RECORDING', 'UPLOADING', 'PROCESSING', 'TRANSCODING', 'MIGRATING', 'COMPLETED', 'ERROR')`,
)
@Check('recordings_progress_check', 'progress >= 0 AND progress <= 1')
@Check('recordings_folder_check', 'folder_id IS NULL OR organization_id IS NOT NULL')
@Index('recordings_personal_idx', { synchronize: false })
@Index('recordings_organization_idx', { synchronize: false })
@Index('recordings_organization_owner_idx', { synchronize: false })
@Index('recordings_organization_status_idx', { synchronize: false })
@Index('recordings_folder_idx', { synchronize: false })
@Index('recordings_title_trgm_idx', { synchronize: false })
export class Recording {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'recordings_pkey' })
  id: string;

  /** Who recorded it. Null when that user is gone and the recording stays with its organization. */
  @Index('recordings_owner_id_idx')
  @Column('uuid', { name: 'owner_id', nullable: true })
  ownerId: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'owner_id', foreignKeyConstraintName: 'recordings_owner_id_fkey' })
  owner?: Relation<User> | null;

  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  @ManyToOne(() => Organization, { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'recordings_organization_id_fkey' })
  organization?: Relation<Organization> | null;

  @Column('uuid', { name: 'folder_id', nullable: true })
  folderId: string | null;

  @ManyToOne(() => Folder, { onDelete: 'RESTRICT' })
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organizationId',
      foreignKeyConstraintName: 'recordings_folder_fkey',
    },
    { name: 'folder_id', referencedColumnName: 'id', foreignKeyConstraintName: 'recordings_folder_fkey' },
  ])
  folder?: Relation<Folder> | null;

  @Column('text')
  title: string;

  /** The title as a search compares it; PostgreSQL keeps it. */
  @Column({ type: 'text', name: 'title_folded', select: false, insert: false, update: false })
  titleFolded?: string;

  @Column('text')
  status: RecordingStatus;

  /** Fraction, 0 to 1. */
  @Column('double precision')
  progress: number;

  @Column('text', { default: '' })
  notes: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3, nullable: true })
  startedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;

  /** Where the video lies in the object store; these three columns are null together. */
  @Index('recordings_media_key_key', { unique: true })
  @Column('text', { name: 'media_key', nullable: true })
  mediaKey: string | null;

  @Column('text', { name: 'media_type', nullable: true })
  mediaType: string | null;

  /** Lower-case hexadecimal. */
  @Column('text', { name: 'media_sha256', nullable: true })
  mediaSha256: string | null;

  /** Why the status is `ERROR`, in words for whoever sent the recording. */
  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  /** Seconds; null until the media has been looked into. */
  @Column('double precision', { nullable: true })
  duration: number | null;

  /** The upload as it was sent, where `mediaKey` is something else that was made of it. */
  @Column('text', { name: 'source_key', nullable: true })
  sourceKey: string | null;

  /** Beginning of the keys of renditions and thumbnail; null until there are any. */
  @Column('text', { name: 'package_key', nullable: true })
  packageKey: string | null;

  /** The current attempt at packaging; one that was superseded finds another one here and gives up. */
  @Index('recordings_packaging_id_idx', { where: 'packaging_id IS NOT NULL' })
  @Column('uuid', { name: 'packaging_id', nullable: true })
  packagingId: string | null;
}
