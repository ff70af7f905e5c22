import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../users/entities/user.entity.js';

/** The public half of a key that a device, a password manager or a security key of the user keeps. */
@Entity('passkeys')
export class Passkey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'passkeys_pkey' })
  id: string;

  @ForeignKey(() => User, { name: 'passkeys_user_id_fkey', onDelete: 'CASCADE' })
  @Index('passkeys_user_id_idx')
  @Column('uuid', { name: 'user_id' })
  userId: string;

  @Index('passkeys_credential_id_key', { unique: true })
  @Column({ type: 'bytea', name: 'credential_id', update: false })
  credentialId: Buffer;

  /** COSE. */
  @Column({ type: 'bytea', name: 'public_key', update: false })
  publicKey: Buffer;

  /** Of its uses, as far as whatever keeps it counts them. As a string, because it is a bigint. */
  @Column('bigint')
  counter: string;

  /** How browsers reach what keeps it, such as `usb` or `internal`. */
  @Column({ type: 'text', array: true, update: false })
  transports: readonly string[];

  @Column({ type: 'text', update: false })
  name: string;

  /** Whether it survives the loss of the device. */
  @Column('boolean', { name: 'backed_up' })
  backedUp: boolean;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3, nullable: true })
  lastUsedAt: Date | null;
}
