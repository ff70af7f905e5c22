import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import type { Summary } from './summary.entity.js';

/** What somebody is to do after a meeting, according to its summary. */
@Entity('action_items')
@Check('action_items_start_check', 'start >= 0')
@Check('action_items_confidence_check', 'confidence >= 0 AND confidence <= 1')
@Unique('action_items_recording_id_position_key', ['recordingId', 'position'])
export class ActionItem {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'action_items_pkey' })
  id: string;

  @Column('uuid', { name: 'recording_id' })
  recordingId: string;

  @ManyToOne<Summary>('Summary', ({ actionItems }) => actionItems, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'action_items_recording_id_fkey' })
  summary?: Relation<Summary>;

  /** Place in the list of the summary, from 0. */
  @Column('integer')
  position: number;

  @Column('text')
  text: string;

  /** Null if nobody is named. */
  @Column('text', { nullable: true })
  owner: string | null;

  /** When it is due, in the words of the meeting; null if that was not said. */
  @Column('text', { nullable: true })
  due: string | null;

  /** The day that these words mean, `YYYY-MM-DD`; null if that is not clear. */
  @Column('date', { name: 'due_date', nullable: true })
  dueDate: string | null;

  /** Seconds from the beginning of the recording; null if unknown. */
  @Column('double precision', { nullable: true })
  start: number | null;

  /** Segments of the transcript that it rests on. */
  @Column('integer', { name: 'segment_ids', array: true })
  segmentIds: number[];

  /** 0 to 1: how probable it is that people would note it; null if that was not estimated, or people have changed it. */
  @Column('double precision', { nullable: true })
  confidence: number | null;

  @Column('boolean')
  done: boolean;

  /** When a person last changed it; null: never, so that the next summary may replace it. */
  @Column({ type: 'timestamptz', name: 'changed_at', precision: 3, nullable: true })
  changedAt: Date | null;
}
