import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A request that carried an `Idempotency-Key`, and its reply once there is one. All that it says about either can be
 * read only with the API key that was used (`CallerSecrets`).
 */
@Entity('idempotency_keys')
@Index('idempotency_keys_user_id_idx', ['userId', 'expiresAt'])
export class IdempotencyKey {
  /** HMAC of the key that the client chose. */
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'idempotency_keys_pkey' })
  id: Buffer;

  /** Only for the limits per user. Not a foreign key: rows outlive their user by a day at most. */
  @Column('uuid', { name: 'user_id' })
  userId: string;

  /** HMAC of method, URL, precondition and body. */
  @Column('bytea')
  request: Buffer;

  /** Identifies the process's attempt to carry the request out; only the current attempt may commit changes. */
  @Column('uuid')
  attempt: string;

  /** Changes of the request have been committed: written in the same transaction. */
  @Column('boolean', { default: false })
  changed: boolean;

  /** Encrypted; null until the reply is complete, and if it is not available. */
  @Column('bytea', { nullable: true })
  reply: Buffer | null;

  /** When the lease ends, by the clock of the database; renewed while the request runs. */
  @Column({ type: 'timestamptz', precision: 3, name: 'leased_until' })
  leasedUntil: Date;

  @Index('idempotency_keys_expires_at_idx')
  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt: Date;
}
