import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { SpeakerStatistics } from '../../../lib/transcript-formats/speaker-statistics.js';
import type { ContentStatus } from '../../../policy/recording-status.js';
import { Recording } from '../../recordings/access/entities/recording.entity.js';

/** Key figures of segments. */
export interface SegmentsHead {
  /** Labels in the order in which they first speak. */
  readonly speakers: readonly string[];
  readonly segmentsCount: number;
  /** Seconds to the end of the last one. */
  readonly duration: number;
}

/** Key figures of the segments that a running attempt has so far, and what its transcriber needs to continue. */
export interface TranscriptDraftHead extends SegmentsHead {
  readonly state: unknown;
}

export abstract class TranscriptFigures {
  /** BCP 47 code, such as `en` or `pt-BR`. */
  @Column('text', { nullable: true })
  language: string | null;

  /** Labels in the order in which they first speak. */
  @Column('text', { array: true })
  speakers: string[];

  @Column('integer', { name: 'segments_count' })
  segmentsCount: number;

  /** Seconds to the end of the last segment. */
  @Column('double precision')
  duration: number;
}

/** A transcript as a whole; its segments are stored in chunks. A recording without a row has no transcript yet. */
@Entity('transcripts')
@Check('transcripts_progress_check', 'progress >= 0 AND progress <= 1')
@Check('transcripts_status_check', `status IN ('not_started', 'processing', 'completed', 'failed')`)
export class Transcript extends TranscriptFigures {
  @ForeignKey(() => Recording, { name: 'transcripts_recording_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'transcripts_pkey' })
  recordingId: string;

  @Column('text')
  status: ContentStatus;

  /** Why the last transcription failed, as shown to the user. */
  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  /** Increases with every change of status, speakers or text. */
  @Column('integer', { default: 1 })
  revision: number;

  /** The current attempt. A superseded attempt finds another id or none here, and stops. */
  @Index('transcripts_attempt_id_idx', { where: 'attempt_id IS NOT NULL' })
  @Column('uuid', { name: 'attempt_id', nullable: true })
  attemptId: string | null;

  /** Whether the confidences of the segments are those of a model; otherwise they are all 1. */
  @Column('boolean', { name: 'confidence_known', default: true })
  confidenceKnown: boolean;

  /** Written by a transcription and not corrected since, so that another one loses nothing. */
  @Column('boolean', { default: false })
  generated: boolean;

  /** The current attempt listens to an upload that is not complete yet. A trigger resets this when it ends. */
  @Column('boolean', { default: false })
  live: boolean;

  /**
   * How far the current attempt is, 0 to 1. A trigger resets this and the draft when the attempt ends, unless a
   * transcription continues a live one.
   */
  @Column('double precision', { default: 0 })
  progress: number;

  /** What the current attempt has so far; null before its first words. */
  @Column('jsonb', { nullable: true })
  draft: TranscriptDraftHead | null;

  /** Null before the first content, and for content that release 1.0.0 wrote. */
  @Column('jsonb', { name: 'speaker_statistics', nullable: true })
  speakerStatistics: SpeakerStatistics[] | null;
}
