import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Folder } from '../../entities/folder.entity.js';
import { Invitation } from './invitation.entity.js';

/** A restricted folder that will be open to an invited member. */
@Entity('invitation_folders')
@Index('invitation_folders_folder_idx', ['organizationId', 'folderId'])
@ForeignKey(() => Invitation, ['organizationId', 'invitationId'], ['organizationId', 'id'], {
  name: 'invitation_folders_invitation_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => Folder, ['organizationId', 'folderId'], ['organizationId', 'id'], {
  name: 'invitation_folders_folder_fkey',
  onDelete: 'CASCADE',
})
export class InvitationFolder {
  @PrimaryColumn('uuid', {
    name: 'invitation_id',
    primaryKeyConstraintName: 'invitation_folders_pkey',
  })
  invitationId: string;

  @PrimaryColumn('uuid', { name: 'folder_id', primaryKeyConstraintName: 'invitation_folders_pkey' })
  folderId: string;

  /** Ensures that both belong to the same organization. */
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;
}
