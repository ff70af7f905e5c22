import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { SealingKey } from '../../../../platform/sealing/sealing-key.entity.js';
import { ApiKey } from '../../../api-keys/entities/api-key.entity.js';
import { OrganizationMember } from '../../../organizations/entities/organization-member.entity.js';
import { Recording } from '../../../recordings/access/entities/recording.entity.js';
import { User } from '../../../users/entities/user.entity.js';

export const SHARE_PERMISSIONS = ['view', 'download'] as const;
export type SharePermission = (typeof SHARE_PERMISSIONS)[number];

/**
 * A public link to a recording: one plain link per recording and permission, and one more of each API key that it ends
 * with; any number with options.
 */
@Entity('share_links')
@Check('share_links_permission_check', `permission IN ('view', 'download')`)
@Index('share_links_plain_key', ['recordingId', 'permission'], { unique: true, where: 'plain' })
@Index('share_links_plain_for_key_key', ['recordingId', 'permission', 'apiKeyId'], {
  unique: true,
  where: 'plain_for_key',
})
@ForeignKey(() => OrganizationMember, ['organizationId', 'createdBy'], ['organizationId', 'userId'], {
  name: 'share_links_member_fkey',
  onDelete: 'CASCADE',
})
export class ShareLink {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'share_links_pkey' })
  id: string;

  @ForeignKey(() => Recording, { name: 'share_links_recording_id_fkey', onDelete: 'CASCADE' })
  @Index('share_links_recording_id_idx')
  @Column('uuid', { name: 'recording_id' })
  recordingId: string;

  @Column('text')
  permission: SharePermission;

  /** Whether it also opens the tracks, each by itself. */
  @Column('boolean', { default: false })
  tracks: boolean;

  /** SHA-256 of the token. */
  @Index('share_links_token_hash_key', { unique: true })
  @Column('bytea', { name: 'token_hash' })
  tokenHash: Buffer;

  /** The token, sealed by `sealToken`. */
  @Column('bytea', { name: 'token_sealed' })
  tokenSealed: Buffer;

  @ForeignKey(() => SealingKey, { name: 'share_links_sealing_key_id_fkey', onDelete: 'RESTRICT' })
  @Column('text', { name: 'sealing_key_id' })
  sealingKeyId: string;

  /** The recording's organization when the link was created; null for a personal recording. */
  @Column('uuid', { name: 'organization_id', nullable: true })
  organizationId: string | null;

  /**
   * Its creator, or the user who took it over. The link ends with the user and, in an organization, with their
   * membership.
   */
  @ForeignKey(() => User, { name: 'share_links_created_by_fkey', onDelete: 'CASCADE' })
  @Index('share_links_created_by_idx')
  @Column('uuid', { name: 'created_by' })
  createdBy: string;

  /**
   * The limited key that made it or took it over, with which it ends, and whose scopes and reach limit what it opens; the
   * one that replaces it when it is rotated. Null: that key had no limits.
   */
  @Index('share_links_api_key_id_idx', { where: 'api_key_id IS NOT NULL' })
  @Column('uuid', { name: 'api_key_id', nullable: true })
  apiKeyId: string | null;

  @ManyToOne(() => ApiKey, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'api_key_id', foreignKeyConstraintName: 'share_links_api_key_id_fkey' })
  apiKey?: Relation<ApiKey> | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /**
   * Whether it has never had an expiry, a password or a label, has never opened tracks, and ends with no key; `POST` without options returns this
   * link.
   */
  @Column('boolean')
  plain: boolean;

  /** The same of one that ends with a key. Apart, because release 1.0.0 relies on the index of the others. */
  @Column('boolean', { name: 'plain_for_key', default: false })
  plainForKey: boolean;

  /** Distinguishes it from other links of the recording; null if not set. */
  @Column('text', { nullable: true })
  label: string | null;

  /** The link stops working at this time, unless its key ends earlier (`endOf`); null: never by itself. */
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** Created by `hashPassword`; null if the link has no password. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash: string | null;

  /** Views are written in batches, so both may lag behind. */
  @Column('integer', { name: 'view_count', default: 0 })
  viewCount: number;

  @Column({ type: 'timestamptz', name: 'last_viewed_at', precision: 3, nullable: true })
  lastViewedAt: Date | null;
}
