import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  IsNull,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import type { Scope } from '../../../contract/scopes.js';
import type { WayIn } from '../../../policy/sessions.js';
import { User } from '../../users/entities/user.entity.js';

const LIMITS_CHECK = `scopes <> '{}' AND organization_ids <> '{}' AND folder_ids <> '{}' AND addresses <> '{}'
  AND (folder_ids IS NULL OR organization_ids IS NOT NULL)`;

/**
 * An API key; the session of somebody who signed in, which is a key that a browser keeps as a cookie; or a connection, by
 * which a user lets an OAuth client act for them. Only its SHA-256 is stored; the key itself is shown once, when it is
 * created. Nobody has the key of a connection: tokens refer to it.
 */
@Entity('api_keys')
@Check('api_keys_limits_check', LIMITS_CHECK)
@Check('api_keys_signed_in_by_check', `signed_in_by IN ('provider', 'mail', 'passkey', 'link', 'api_key')`)
@Index('api_keys_provider_session_idx', ['provider', 'providerSession'], {
  where: 'provider_session IS NOT NULL',
})
export class ApiKey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'api_keys_pkey' })
  id: string;

  /** Null when the user has been deleted: the key outlives its user, so that the reply can be `USER_NOT_FOUND`. */
  @Index('api_keys_user_id_idx')
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'api_keys_user_id_fkey' })
  user?: Relation<User> | null;

  @Column('text')
  name: string;

  /** The first characters of the key: `mrs_` and eight more. `session` of a session, `oauth` of a connection. */
  @Column('text')
  prefix: string;

  @Index('api_keys_hash_key', { unique: true })
  @Column('bytea')
  hash: Buffer;

  /** Null, as the limits that follow: not limited. */
  @Column('text', { array: true, nullable: true })
  scopes: readonly Scope[] | null;

  @Column('uuid', { name: 'organization_ids', array: true, nullable: true })
  organizationIds: readonly string[] | null;

  @Column('uuid', { name: 'folder_ids', array: true, nullable: true })
  folderIds: readonly string[] | null;

  /** From which it can be used; CIDR. */
  @Column('text', { array: true, nullable: true })
  addresses: readonly string[] | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** Written in batches; may lag by up to a minute. */
  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  /** The IP address of the latest use. */
  @Column('text', { name: 'last_used_address', nullable: true })
  lastUsedAddress: string | null;

  /** The key that a rotation has put in its place. */
  @ForeignKey(() => ApiKey, { name: 'api_keys_replaced_by_fkey', onDelete: 'SET NULL' })
  @Index('api_keys_replaced_by_idx', { where: 'replaced_by IS NOT NULL' })
  @Column('uuid', { name: 'replaced_by', nullable: true })
  replacedBy: string | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;

  /** How the user of a session signed in; null: an API key. */
  @Column({ type: 'text', name: 'signed_in_by', nullable: true, update: false })
  signedInBy: WayIn | null;

  /** The identity provider with which they did, or did who made the key. */
  @Column({ type: 'text', nullable: true, update: false })
  provider: string | null;

  /** The provider's own id of the session (`sid`), by which it ends it. */
  @Column({ type: 'text', name: 'provider_session', nullable: true, update: false })
  providerSession: string | null;

  /** The browser of a session, as it names itself. */
  @Column({ type: 'text', nullable: true, update: false })
  client: string | null;

  /** The `client_id` of the client that a connection lets in; null: none. */
  @Index('api_keys_oauth_client_idx', { where: 'oauth_client IS NOT NULL' })
  @Column({ type: 'text', name: 'oauth_client', nullable: true, update: false })
  oauthClient: string | null;
}

/** What tells API keys from sessions and connections. */
export const IS_API_KEY = { signedInBy: IsNull(), oauthClient: IsNull() };

/** The requests with an API key on one day in UTC. Kept for as long as the limit says. */
@Entity('api_key_uses')
export class ApiKeyUse {
  @ForeignKey(() => ApiKey, { name: 'api_key_uses_api_key_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'api_key_id', primaryKeyConstraintName: 'api_key_uses_pkey' })
  apiKeyId: string;

  /** Such as `2026-01-31`. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'api_key_uses_pkey' })
  day: string;

  /** As a string, because it is a bigint. */
  @Column('bigint')
  requests: string;
}
