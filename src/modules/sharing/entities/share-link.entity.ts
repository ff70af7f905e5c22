import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { OrganizationMember } from '../../organizations/entities/organization-member.entity.js';
import { Recording } from '../../recording-access/entities/recording.entity.js';
import { User } from '../../users/entities/user.entity.js';

export const SHARE_PERMISSIONS = ['view', 'download'] as const;
export type SharePermission = (typeof SHARE_PERMISSIONS)[number];

/** A public link to a recording: one plain link per recording and permission, and any number with options. */
@Entity('share_links')
@Check('share_links_permission_check', `permission IN ('view', 'download')`)
@Index('share_links_plain_key', ['recordingId', 'permission'], { unique: true, where: 'plain' })
export class ShareLink {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'share_links_pkey' })
  id: string;

  @Index('share_links_recording_id_idx')
  @Column('uuid', { name: 'recording_id' })
  recordingId: string;

  @ManyToOne(() => Recording, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'share_links_recording_id_fkey' })
  recording?: Relation<Recording>;

  @Column('text')
  permission: SharePermission;

  @Index('share_links_token_key', { unique: true })
  @Column('text')
  token: string;

  /** That of the recording when the link was made; null: a personal recording. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  /** Its creator, or who took it over. It ends with the user, and in an organization with their membership. */
  @Index('share_links_created_by_idx')
  @Column('uuid', { name: 'created_by' })
  createdBy: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'share_links_created_by_fkey' })
  creator?: Relation<User>;

  @ManyToOne(() => OrganizationMember, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'organization_id',
      referencedColumnName: 'organizationId',
      foreignKeyConstraintName: 'share_links_member_fkey',
    },
    {
      name: 'created_by',
      referencedColumnName: 'userId',
      foreignKeyConstraintName: 'share_links_member_fkey',
    },
  ])
  member?: Relation<OrganizationMember> | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Never had an expiry, a password or a label; `POST` without options returns it. */
  @Column('boolean')
  plain: boolean;

  /** What distinguishes it from other links of the recording; null: none. */
  @Column('text', { nullable: true })
  label: string | null;

  /** From then on it opens nothing; null: never. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** As `hashPassword` makes it; null: it opens without one. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash: string | null;

  /** Written for many views at once, so both may lag behind. */
  @Column('integer', { name: 'view_count', default: 0 })
  viewCount: number;

  @Column({ type: 'timestamptz', name: 'last_viewed_at', precision: 3, nullable: true })
  lastViewedAt: Date | null;
}
