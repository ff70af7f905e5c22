import { Check, Column, Entity, Index, JoinColumn, ManyToOne, OneToOne, PrimaryColumn } from 'typeorm';
import type { Relation } from 'typeorm';
import { bytes, nullableBytes } from '../../../platform/database/bytes.column.js';
import { Recording } from '../../recording-access/entities/recording.entity.js';
import { User } from '../../users/entities/user.entity.js';

/** The bytes of a recording on their way in. The row goes once they lie in long-term storage. */
@Entity('uploads')
@Check('uploads_received_check', 'received >= 0 AND (size IS NULL OR received <= size)')
export class Upload {
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'uploads_pkey' })
  recordingId: string;

  @OneToOne(() => Recording, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'uploads_recording_id_fkey' })
  recording?: Relation<Recording>;

  /** Whose open uploads it counts among. */
  @Index('uploads_user_id_idx', { where: 'closed_at IS NULL' })
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'user_id', foreignKeyConstraintName: 'uploads_user_id_fkey' })
  user?: Relation<User> | null;

  /** Bytes; null while nobody knows how long the meeting will be. */
  @Column('bigint', { nullable: true, transformer: nullableBytes })
  size: number | null;

  /** Bytes that are here, durable, from the first one on without a gap. */
  @Column('bigint', { default: 0, transformer: bytes })
  received: number;

  /** Counts how often it began anew; a request that began before takes no part any more. */
  @Column('integer', { default: 0 })
  generation: number;

  /** The turn of the latest request whose bytes count, or that began it anew. */
  @Column('bigint', { default: 0, transformer: bytes })
  turn: number;

  /** What the first bytes are; null until there are enough to tell. */
  @Column('text', { name: 'media_type', nullable: true })
  mediaType: string | null;

  /** When the last bytes came. */
  @Column({ type: 'timestamptz', name: 'active_at', precision: 3 })
  activeAt: Date;

  /** When it took no more bytes: all were here, or nobody went on with it. */
  @Column({ type: 'timestamptz', name: 'closed_at', precision: 3, nullable: true })
  closedAt: Date | null;
}
