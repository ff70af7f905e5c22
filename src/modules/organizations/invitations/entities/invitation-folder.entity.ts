import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Folder } from '../../entities/folder.entity.js';
import { Invitation } from './invitation.entity.js';

/** A restricted folder that will be open to an invited member. */
@Entity('invitation_folders')
@Index('invitation_folders_folder_idx', ['organizationId', 'folderId'])
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

  @ManyToOne(() => Invitation, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organizationId',
      foreignKeyConstraintName: 'invitation_folders_invitation_fkey',
    },
    {
      name: 'invitation_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'invitation_folders_invitation_fkey',
    },
  ])
  invitation?: Relation<Invitation>;

  @ManyToOne(() => Folder, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organizationId',
      foreignKeyConstraintName: 'invitation_folders_folder_fkey',
    },
    {
      name: 'folder_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'invitation_folders_folder_fkey',
    },
  ])
  folder?: Relation<Folder>;
}
