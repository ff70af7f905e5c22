import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
} from 'typeorm';
import { User } from '../../users/entities/user.entity.js';
import { Transcript, TranscriptFigures } from './transcript.entity.js';

/** What made a revision. */
export const REVISION_CAUSES = ['import', 'correction', 'speakers', 'transcription', 'restore'] as const;
export type RevisionCause = (typeof REVISION_CAUSES)[number];

/** What a transcript was as a whole after a change of its content: the current content, and the last ones before it. */
@Entity('transcript_revisions')
@Check(
  'transcript_revisions_cause_check',
  `cause IN ('import', 'correction', 'speakers', 'transcription', 'restore')`,
)
export class TranscriptRevision extends TranscriptFigures {
  @ForeignKey(() => Transcript, { name: 'transcript_revisions_recording_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'transcript_revisions_pkey' })
  recordingId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'transcript_revisions_pkey' })
  revision: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('text')
  cause: RevisionCause;

  /** Null for a transcription, and if the user has been deleted. */
  @Index('transcript_revisions_created_by_idx')
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'transcript_revisions_created_by_fkey' })
  creator?: Relation<User> | null;

  @Column('boolean', { name: 'confidence_known' })
  confidenceKnown: boolean;
}
