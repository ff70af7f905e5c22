import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { User } from '../../users/entities/user.entity.js';

/** An API key. Only its SHA-256 is stored; the key itself is shown once, when it is created. */
@Entity('api_keys')
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

  /** The first characters of the key: `mrs_` and eight more. */
  @Column('text')
  prefix: string;

  @Index('api_keys_hash_key', { unique: true })
  @Column('bytea')
  hash: Buffer;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** Written in batches; may lag by up to a minute. */
  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;

  @Column({ type: 'timestamptz', name: 'revoked_at', precision: 3, nullable: true })
  revokedAt: Date | null;
}
