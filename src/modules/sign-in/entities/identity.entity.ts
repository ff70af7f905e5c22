import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../users/entities/user.entity.js';

/** Who somebody is at an identity provider, whatever their address there becomes, and which user that is. */
@Entity('identities')
export class Identity {
  /** As its tokens name it. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'identities_pkey' })
  issuer: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'identities_pkey' })
  subject: string;

  @ForeignKey(() => User, { name: 'identities_user_id_fkey', onDelete: 'CASCADE' })
  @Index('identities_user_id_idx')
  @Column('uuid', { name: 'user_id' })
  userId: string;

  /** The name of the provider in the settings, when it was last used. */
  @Column('text')
  provider: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', name: 'last_used_at', precision: 3 })
  lastUsedAt: Date;
}
