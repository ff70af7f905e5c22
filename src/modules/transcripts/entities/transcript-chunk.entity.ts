import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Transcript } from './transcript.entity.js';

export interface TranscriptSegment {
  readonly id: number;
  /** Seconds from the start of the recording. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly speaker: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/** A segment that has no number yet. */
export type NewSegment = Omit<TranscriptSegment, 'id'>;

/** A transcript as it comes in; segments are numbered in the order given. */
export interface NewTranscript {
  readonly language: string | null;
  readonly segments: readonly NewSegment[];
}

/**
 * Twenty consecutive segments. A page of the transcript is one range read of the primary key, however long the meeting
 * is. `json`, not `jsonb`: it is only ever handed out whole.
 */
@Entity('transcript_chunks')
export class TranscriptChunk {
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'transcript_chunks_pkey' })
  recordingId: string;

  /** 0, 1, 2, ... */
  @PrimaryColumn('integer', { name: 'chunk_index', primaryKeyConstraintName: 'transcript_chunks_pkey' })
  chunkIndex: number;

  @ManyToOne(() => Transcript, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'transcript_chunks_recording_id_fkey' })
  transcript?: Relation<Transcript>;

  @Column('json')
  segments: TranscriptSegment[];
}
