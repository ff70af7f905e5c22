import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { bytes, nullableBytes } from '../../../platform/database/bytes.column.js';
import { User } from '../../users/entities/user.entity.js';

/** A piece of a file that is uploaded in several at once (tus, `Upload-Concat: partial`). No recording until they are joined. */
@Entity('partial_uploads')
@Check('partial_uploads_received_check', 'received >= 0 AND (size IS NULL OR received <= size)')
export class PartialUpload {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'partial_uploads_pkey' })
  id: string;

  @Index('partial_uploads_user_id_idx')
  @Column('uuid', { name: 'user_id' })
  userId: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'partial_uploads_user_id_fkey' })
  user?: Relation<User>;

  /** Bytes; null while unknown. */
  @Column('bigint', { nullable: true, transformer: nullableBytes })
  size: number | null;

  /** Number of bytes stored durably. */
  @Column('bigint', { default: 0, transformer: bytes })
  received: number;

  /** The turn of the latest request that appended bytes. */
  @Column('bigint', { default: 0, transformer: bytes })
  turn: number;

  /** `Upload-Metadata` as the client sent it. */
  @Column('text', { nullable: true })
  metadata: string | null;

  /** When the last bytes arrived. */
  @Column({ type: 'timestamptz', name: 'active_at', precision: 3 })
  activeAt: Date;
}
