import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Transcript } from './transcript.entity.js';
import type { TranscriptSegment } from '../../../lib/transcript-formats/transcript.js';

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
