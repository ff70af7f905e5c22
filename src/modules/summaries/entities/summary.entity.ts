import { Check, Column, Entity, ForeignKey, OneToMany, PrimaryColumn, type Relation } from 'typeorm';
import type { SummaryDecision, SummaryTopic } from '../../../lib/extractive-summary/summary.js';
import type { ContentStatus } from '../../../policy/recording-status.js';
import { Recording } from '../../recordings/access/entities/recording.entity.js';
import { ActionItem } from './action-item.entity.js';

/** The summary of a recording. A recording without a row has none yet. */
@Entity('summaries')
@Check('summaries_status_check', `status IN ('not_started', 'processing', 'completed', 'failed')`)
export class Summary {
  @ForeignKey(() => Recording, { name: 'summaries_recording_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'summaries_pkey' })
  recordingId: string;

  @Column('text')
  status: ContentStatus;

  /** Markdown. */
  @Column('text', { nullable: true })
  content: string | null;

  /**
   * `content` rendered by `safeHtml` for share pages. Null: not rendered yet; empty: cannot be rendered, shown as text.
   */
  @Column('text', { nullable: true, select: false })
  html?: string | null;

  @Column('json', { default: '[]' })
  topics: SummaryTopic[];

  @Column('json', { default: '[]' })
  decisions: SummaryDecision[];

  @OneToMany(() => ActionItem, ({ summary }) => summary)
  actionItems?: Relation<ActionItem[]>;

  /** Why the last attempt failed, as shown to the user. */
  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  /** Increases with every change. */
  @Column('integer', { default: 1 })
  revision: number;

  /** The current attempt. A superseded attempt finds another id or none here, and stops. */
  @Column('uuid', { name: 'attempt_id', nullable: true })
  attemptId: string | null;
}

/** A summary that was read with its action items, in order. */
export type WholeSummary = Summary & Required<Pick<Summary, 'actionItems'>>;
