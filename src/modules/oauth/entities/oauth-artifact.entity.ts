import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ApiKey } from '../../api-keys/entities/api-key.entity.js';

/**
 * What `oidc-provider` keeps besides clients and grants: tokens, codes, and requests that wait for consent. What their
 * holder shows is stored as its SHA-256 only.
 */
@Entity('oauth_artifacts')
export class OAuthArtifact {
  /** The name of the model: `AccessToken`, `RefreshToken`, `AuthorizationCode`, `Interaction` ... */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'oauth_artifacts_pkey' })
  kind: string;

  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'oauth_artifacts_pkey' })
  hash: Buffer;

  /** The connection that it is of, and goes with; null before there is one. */
  @ForeignKey(() => ApiKey, { name: 'oauth_artifacts_connection_id_fkey', onDelete: 'CASCADE' })
  @Index('oauth_artifacts_connection_id_idx', { where: 'connection_id IS NOT NULL' })
  @Column('uuid', { name: 'connection_id', nullable: true })
  connectionId: string | null;

  /** SHA-256 of what somebody types to let a device in. */
  @Index('oauth_artifacts_user_code_idx', { where: 'user_code IS NOT NULL' })
  @Column('bytea', { name: 'user_code', nullable: true })
  userCode: Buffer | null;

  @Column('jsonb')
  payload: object;

  /** When it was used, if it works once. Kept, so that a second use shows that it was stolen. */
  @Column({ type: 'timestamptz', name: 'consumed_at', precision: 3, nullable: true })
  consumedAt: Date | null;

  @Index('oauth_artifacts_expires_at_idx')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
