import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Organization } from '../../organizations/entities/organization.entity.js';
import { DirectoryUser } from './directory-user.entity.js';

/** A group of the directory of an organization. Its name may give its members a role and folders (`policy/grants.ts`). */
@Entity('directory_groups')
@Unique('directory_groups_organization_id_id_key', ['organizationId', 'id'])
@Unique('directory_groups_external_id_key', ['organizationId', 'externalId'])
@Index('directory_groups_display_name_key', { synchronize: false })
export class DirectoryGroup {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'directory_groups_pkey' })
  id: string;

  @ForeignKey(() => Organization, { name: 'directory_groups_organization_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @Column('text', { name: 'external_id', nullable: true })
  externalId: string | null;

  /** Unique in the organization regardless of case. */
  @Column('text', { name: 'display_name' })
  displayName: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}

@Entity('directory_group_members')
@Index('directory_group_members_user_idx', ['organizationId', 'userId'])
@ForeignKey(() => DirectoryGroup, ['organizationId', 'groupId'], ['organizationId', 'id'], {
  name: 'directory_group_members_group_fkey',
  onDelete: 'CASCADE',
})
@ForeignKey(() => DirectoryUser, ['organizationId', 'userId'], ['organizationId', 'userId'], {
  name: 'directory_group_members_user_fkey',
  onDelete: 'CASCADE',
})
export class DirectoryGroupMember {
  @PrimaryColumn('uuid', { name: 'group_id', primaryKeyConstraintName: 'directory_group_members_pkey' })
  groupId: string;

  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'directory_group_members_pkey' })
  userId: string;

  /** Ensures that group and user belong to the same organization. */
  @Column('uuid', { name: 'organization_id' })
  organizationId: string;
}
