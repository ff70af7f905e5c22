import {
  Column,
  Entity,
  ForeignKey,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { Folder } from '../../entities/folder.entity.js';
import { Invitation } from './invitation.entity.js';
import { sameOrganization } from '../../entities/same-organization.js';

/** A restricted folder that will be open to an invited member. */
@Entity('invitation_folders')
@Index('invitation_folders_folder_idx', ['organizationId', 'folderId'])
@ForeignKey(() => Invitation, ['organizationId', 'invitationId'], ['organizationId', 'id'], {
  name: 'invitation_folders_invitation_fkey',
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

  @ManyToOne(() => Folder, { onDelete: 'CASCADE' })
  @JoinColumn(sameOrganization('invitation_folders_folder_fkey', 'folder_id', 'id'))
  folder?: Relation<Folder>;
}
