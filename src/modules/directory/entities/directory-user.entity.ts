import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Organization } from '../../organizations/entities/organization.entity.js';
import { User } from '../../users/entities/user.entity.js';

/**
 * A person as the directory of an organization describes them. Also there while they are disabled, and so no member;
 * what it says of them is never written to a user whom it did not create.
 */
@Entity('directory_users')
@Check('directory_users_link_check', `link IN ('created', 'member', 'linked')`)
@Unique('directory_users_external_id_key', ['organizationId', 'externalId'])
@Index('directory_users_user_name_key', { synchronize: false })
@Index('directory_users_email_idx', { synchronize: false })
@Index('directory_users_list_idx', ['organizationId', 'createdAt', 'userId'])
export class DirectoryUser {
  @ForeignKey(() => Organization, { name: 'directory_users_organization_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'organization_id', primaryKeyConstraintName: 'directory_users_pkey' })
  organizationId: string;

  /** The id of the user is their id in the directory. */
  @ForeignKey(() => User, { name: 'directory_users_user_id_fkey', onDelete: 'CASCADE' })
  @Index('directory_users_user_id_idx')
  @PrimaryColumn('uuid', { name: 'user_id', primaryKeyConstraintName: 'directory_users_pkey' })
  userId: string;

  @Column('text', { name: 'external_id', nullable: true })
  externalId: string | null;

  /** Unique in the organization regardless of case. */
  @Column('text', { name: 'user_name' })
  userName: string;

  @Column('text')
  email: string;

  @Column('text', { name: 'display_name', nullable: true })
  displayName: string | null;

  @Column('text', { name: 'formatted_name', nullable: true })
  formattedName: string | null;

  @Column('text', { name: 'given_name', nullable: true })
  givenName: string | null;

  @Column('text', { name: 'family_name', nullable: true })
  familyName: string | null;

  @Column('boolean')
  active: boolean;

  /**
   * How they came into the directory: it `created` them, they were a `member` before, or it `linked` a user who was no
   * member and has never agreed to be one, whose account it may affect least.
   */
  @Column('text')
  link: 'created' | 'member' | 'linked';

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3 })
  updatedAt: Date;
}
