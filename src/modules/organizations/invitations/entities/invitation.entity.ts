import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  Unique,
  ForeignKey,
  type Relation,
} from 'typeorm';
import { MembershipColumns, sameOrganization } from '../../entities/membership.columns.js';
import { OrganizationMember } from '../../entities/organization-member.entity.js';
import { Organization } from '../../entities/organization.entity.js';
import { Folder } from '../../entities/folder.entity.js';

export const INVITATION_LANGUAGES = ['en', 'de'] as const;
export type InvitationLanguage = (typeof INVITATION_LANGUAGES)[number];

/** `none`: no mail server is configured, so the sender passes the link on. */
export const MAIL_STATUSES = ['none', 'queued', 'sent', 'failed'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

/** An invitation to an organization: works once, until it expires or its sender's membership ends. */
@Entity('invitations')
@Check('invitations_role_check', `role IN ('OWNER', 'ADMIN', 'EDITOR', 'VIEWER')`)
@Check('invitations_language_check', `language IN ('en', 'de')`)
@Check('invitations_mail_status_check', `mail_status IN ('none', 'queued', 'sent', 'failed')`)
@Unique('invitations_organization_id_id_key', ['organizationId', 'id'])
@Index('invitations_email_key', { synchronize: false })
@Index('invitations_list_idx', { synchronize: false })
@Index('invitations_invited_by_idx', ['organizationId', 'invitedBy'])
export class Invitation extends MembershipColumns {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'invitations_pkey' })
  id: string;

  @Column('uuid', { name: 'organization_id' })
  organizationId: string;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'organization_id', foreignKeyConstraintName: 'invitations_organization_id_fkey' })
  organization?: Relation<Organization>;

  /** Unique in the organization regardless of case. */
  @Column('text')
  email: string;

  /** The language of the email. */
  @Column('text')
  language: InvitationLanguage;

  /** SHA-256 of the token, which is replaced when the invitation is sent again. */
  @Index('invitations_token_hash_key', { unique: true })
  @Column('bytea', { name: 'token_hash' })
  tokenHash: Buffer;

  @Column('uuid', { name: 'invited_by' })
  invitedBy: string;

  @ManyToOne(() => OrganizationMember, { onDelete: 'CASCADE' })
  @JoinColumn(sameOrganization('invitations_invited_by_fkey', 'invited_by', 'userId'))
  sender?: Relation<OrganizationMember>;

  @Column('text', { name: 'mail_status' })
  mailStatus: MailStatus;

  /** Tells the sender why the email was not delivered. */
  @Column('text', { name: 'mail_error', nullable: true })
  mailError: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'sent_at', precision: 3 })
  sentAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}

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
