import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Folder } from './folder.entity.js';
import { OrganizationMember } from './organization-member.entity.js';

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
