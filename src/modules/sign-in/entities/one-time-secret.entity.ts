import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../users/entities/user.entity.js';

/**
 * What a secret is good for: the link of an email or of the host, or the way back from a provider or a passkey. `logout`:
 * for nothing any more; a provider's request to end sessions, which is done.
 */
export type SecretPurpose = 'link' | 'provider' | 'passkey' | 'logout';

/** A secret that works once, for some minutes. Only its SHA-256 is stored. */
@Entity('one_time_secrets')
export class OneTimeSecret {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'one_time_secrets_pkey' })
  hash: Buffer;

  @Column('text')
  purpose: SecretPurpose;

  /** Whom it lets in, where that is known. */
  @ForeignKey(() => User, { name: 'one_time_secrets_user_id_fkey', onDelete: 'CASCADE' })
  @Index('one_time_secrets_user_id_idx')
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  /** What its issuer needs to know when it comes back. */
  @Column('jsonb', { default: {} })
  details: object;

  @Index('one_time_secrets_expires_at_idx')
  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3 })
  expiresAt: Date;
}
