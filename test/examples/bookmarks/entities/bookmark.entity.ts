import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Recording } from '../../../../src/modules/recordings/access/entities/recording.entity.js';
import { User } from '../../../../src/modules/users/entities/user.entity.js';

/** A moment in a recording that a user wants to find again. Who sees the recording sees it. */
@Entity('bookmarks')
@Check('bookmarks_at_check', 'at >= 0')
@Index('bookmarks_list_idx', ['recordingId', 'createdAt', 'id'])
export class Bookmark {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'bookmarks_pkey' })
  id: string;

  @Column('uuid', { name: 'recording_id' })
  recordingId: string;

  @ManyToOne(() => Recording, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'bookmarks_recording_id_fkey' })
  recording?: Relation<Recording>;

  @Index('bookmarks_created_by_idx')
  @Column({ type: 'uuid', name: 'created_by', update: false })
  createdBy: string;

  @ManyToOne(() => User, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'bookmarks_created_by_fkey' })
  creator?: Relation<User>;

  /** Seconds from the start of the recording. */
  @Column('double precision')
  at: number;

  @Column('text')
  label: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
