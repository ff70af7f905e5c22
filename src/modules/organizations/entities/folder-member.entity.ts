import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Folder } from './folder.entity.js';
import { OrganizationMember } from './organization-member.entity.js';
import { sameOrganization } from './same-organization.js';

/** A member named by a restricted folder. Deleted when the member leaves the organization. */
@Entity('folder_members')
@Index('folder_members_organization_id_user_id_idx', ['organizationId', 'userId'])
export class FolderMember {
  @PrimaryColumn('uuid', { name: 'folder_id', primaryKeyConstraintName: 'folder_members_pkey' })
  folderId: string;

  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'folder_members_pkey' })
  userId: string;

  /** Ensures that folder and member belong to the same organization. */
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @ManyToOne(() => Folder, { onDelete: 'CASCADE' })
  @JoinColumn(sameOrganization('folder_members_folder_fkey', 'folder_id', 'id'))
  folder?: Relation<Folder>;

  @ManyToOne(() => OrganizationMember, { onDelete: 'CASCADE' })
  @JoinColumn(sameOrganization('folder_members_member_fkey', 'user_id', 'userId'))
  member?: Relation<OrganizationMember>;
}
