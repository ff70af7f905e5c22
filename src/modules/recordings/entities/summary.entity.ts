import { Check, Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import type { ContentStatus } from '../../../policy/recording-status.js';
import { Recording } from './recording.entity.js';

export interface SummaryTopic {
  readonly title: string;
  readonly keyPoints: readonly { readonly point: string; readonly details: readonly string[] }[];
}

/** The summary of a recording; a recording without a row has none yet. */
@Entity('summaries')
@Check('summaries_status_check', `status IN ('not_started', 'processing', 'completed', 'failed')`)
export class Summary {
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'summaries_pkey' })
  recordingId: string;

  @OneToOne(() => Recording, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'summaries_recording_id_fkey' })
  recording?: Relation<Recording>;

  @Column('text')
  status: ContentStatus;

  /** Markdown. */
  @Column('text', { nullable: true })
  content: string | null;

  @Column('json', { default: '[]' })
  topics: SummaryTopic[];
}
