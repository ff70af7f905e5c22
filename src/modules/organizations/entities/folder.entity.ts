import { Column, CreateDateColumn, Entity, ForeignKey, PrimaryColumn, Unique, Index } from 'typeorm';
import { Organization } from './organization.entity.js';
import { OrganizationMember } from './organization-member.entity.js';

/** A folder of an organization. An inactive folder is treated as absent. */
@Entity('folders')
@Unique('folders_organization_id_id_key', ['organizationId', 'id'])
@Unique('folders_organization_id_name_key', ['organizationId', 'name'])
@Index('folders_external_id_key', { synchronize: false })
export class Folder {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'folders_pkey' })
  id: string;

  @ForeignKey(() => Organization, { name: 'folders_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text')
  name: string;

  @Column('boolean', { default: true })
  active: boolean;

  /** Open only to the members in `folder_members`, instead of to all members. */
  @Column('boolean', { default: false })
  restricted: boolean;

  @Column('text', { name: 'external_id', nullable: true })
  externalId: string | null;

  @Column('jsonb', { default: {} })
  metadata: Record<string, string>;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;

  /** Set while a job moves the recordings of a deleted folder out; it is inactive then, and its name is its id. */
  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, nullable: true })
  deletedAt: Date | null;
}

/** A member named by a restricted folder. Deleted when the member leaves the organization. */
@Entity('folder_members')
@Index('folder_members_organization_id_user_id_idx', ['organizationId', 'userId'])
@ForeignKey(() => Folder, ['organizationId', 'folderId'], ['organizationId', 'id'], {
  name: 'folder_members_folder_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => OrganizationMember, ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'folder_members_member_fkey',
  onDelete: 'CASCADE',
})
export class FolderMember {
  @PrimaryColumn('uuid', { name: 'folder_id', primaryKeyConstraintName: 'folder_members_pkey' })
  folderId: string;

  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'folder_members_pkey' })
  userId: string;

  /** Ensures that folder and member belong to the same organization. */
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;
}
