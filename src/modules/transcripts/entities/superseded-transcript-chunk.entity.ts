import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Transcript } from './transcript.entity.js';
import type { TranscriptSegment } from '../../../lib/transcript-formats/transcript.js';

/**
 * A chunk as it was until a revision replaced or removed it. The chunk of an earlier revision is the one that was
 * superseded next, or else the current one: a revision costs as many chunks as it changes.
 */
@Entity('superseded_transcript_chunks')
export class SupersededTranscriptChunk {
  @ForeignKey(() => Transcript, {
    name: 'superseded_transcript_chunks_recording_id_fkey',
    onDelete: 'CASCADE',
  })
  @PrimaryColumn('uuid', {
    name: 'recording_id',
    primaryKeyConstraintName: 'superseded_transcript_chunks_pkey',
  })
  recordingId: string;

  /** The first revision without it. */
  @PrimaryColumn('integer', {
    name: 'superseded_by',
    primaryKeyConstraintName: 'superseded_transcript_chunks_pkey',
  })
  supersededBy: number;

  /** 0, 1, 2, ... */
  @PrimaryColumn('integer', {
    name: 'chunk_index',
    primaryKeyConstraintName: 'superseded_transcript_chunks_pkey',
  })
  chunkIndex: number;

  @Column('json')
  segments: TranscriptSegment[];
}
