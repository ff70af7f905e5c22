import { Column, Entity, ForeignKey, PrimaryColumn, Index } from 'typeorm';
import type { Segment, TranscriptSegment } from '../../../lib/transcript-formats/transcript.js';
import { Transcript } from './transcript.entity.js';

/** A transcript to store; segments are numbered in the given order. */
export interface NewTranscript {
  readonly language: string | null;
  readonly segments: readonly Segment[];
  /** Whether the confidences are those of a model; by default, if any of them is less than 1. */
  readonly confidenceKnown?: boolean;
}

/**
 * Twenty consecutive segments. A page of the transcript is one range scan of the primary key, however long the meeting.
 * `json` rather than `jsonb`, because it is only ever returned whole.
 */
@Entity('transcript_chunks')
export class TranscriptChunk {
  @ForeignKey(() => Transcript, { name: 'transcript_chunks_recording_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'transcript_chunks_pkey' })
  recordingId: string;

  /** 0, 1, 2, ... */
  @PrimaryColumn('integer', { name: 'chunk_index', primaryKeyConstraintName: 'transcript_chunks_pkey' })
  chunkIndex: number;

  @Column('json')
  segments: TranscriptSegment[];
}

/** Twenty consecutive segments of a running transcription; deleted by a trigger when the attempt ends. */
@Entity('transcript_draft_chunks')
export class TranscriptDraftChunk {
  @PrimaryColumn('uuid', { name: 'attempt_id', primaryKeyConstraintName: 'transcript_draft_chunks_pkey' })
  attemptId: string;

  /** 0, 1, 2, ... */
  @PrimaryColumn('integer', { name: 'chunk_index', primaryKeyConstraintName: 'transcript_draft_chunks_pkey' })
  chunkIndex: number;

  @ForeignKey(() => Transcript, { name: 'transcript_draft_chunks_recording_id_fkey', onDelete: 'CASCADE' })
  @Index('transcript_draft_chunks_recording_id_idx')
  @Column('uuid', { name: 'recording_id' })
  recordingId: string;

  @Column('json')
  segments: TranscriptSegment[];
}
