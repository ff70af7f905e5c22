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
import type { SummaryDecision, SummaryTopic } from '../../../lib/extractive-summary/summary.js';
import { User } from '../../users/entities/user.entity.js';
import type { ActionItem } from '../public/summary.response.dto.js';
import { Summary } from './summary.entity.js';

/** What made a revision. */
export const SUMMARY_CAUSES = ['import', 'generation', 'restore'] as const;
export type SummaryCause = (typeof SUMMARY_CAUSES)[number];

/** A summary after a change of its content: the current one, whose content is in `summaries`, and the last before it. */
@Entity('summary_revisions')
@Check('summary_revisions_cause_check', `cause IN ('import', 'generation', 'restore')`)
export class SummaryRevision {
  @ForeignKey(() => Summary, { name: 'summary_revisions_recording_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'summary_revisions_pkey' })
  recordingId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'summary_revisions_pkey' })
  revision: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Null if release 1.0.0 wrote it and the change log no longer has it. */
  @Column('text', { nullable: true })
  cause: SummaryCause | null;

  /** Null for a generated one, and if the user has been deleted. */
  @Index('summary_revisions_created_by_idx')
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy: string | null;

  @ManyToOne(() => User, { onDelete: 'SET NULL' })
  @JoinColumn({ name: 'created_by', foreignKeyConstraintName: 'summary_revisions_created_by_fkey' })
  creator?: Relation<User> | null;

  /** This and the next four are those of `Summary`, kept when it is superseded. */
  @Column('text', { nullable: true, select: false })
  content?: string | null;

  @Column('text', { nullable: true, select: false })
  html?: string | null;

  /** Null while it is the current one. */
  @Column('json', { nullable: true, select: false })
  topics?: SummaryTopic[] | null;

  /** This and the next one are also null if release 1.0.0 wrote the summary. */
  @Column('json', { nullable: true, select: false })
  decisions?: SummaryDecision[] | null;

  @Column('json', { name: 'action_items', nullable: true, select: false })
  actionItems?: ActionItem[] | null;
}
