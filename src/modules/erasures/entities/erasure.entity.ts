import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Organization } from '../../organizations/entities/organization.entity.js';
import { ERASED_WORDS, type ErasedWords } from '../../transcripts/public/erased-words.js';
import { User } from '../../users/entities/user.entity.js';

export const ERASURE_STATUSES = ['previewed', 'running', 'completed', 'failed'] as const;
export type ErasureStatus = (typeof ERASURE_STATUSES)[number];

/** Numbers of what is erased, by kind. */
export type ErasureCounts = Readonly<Record<string, number>>;

/** A text that says the name or the address of the person, which people have to edit themselves. */
export interface ReviewedText {
  readonly resource: 'recording' | 'folder' | 'glossary';
  /** Of a glossary: that of its organization. */
  readonly id: string;
  readonly fields: readonly string[];
}

export interface ErasurePreview {
  readonly counts: ErasureCounts;
  readonly review: readonly ReviewedText[];
  /** There are more than `review` lists. */
  readonly moreToReview: boolean;
}

/** What proves an erasure. Its names are those of the API, as a file of it can be verified. */
export interface ErasureReceipt {
  readonly id: string;
  readonly organization_id: string | null;
  readonly completed_at: string;
  readonly counts: ErasureCounts;
  /** Ids of the recordings that were deleted or changed. */
  readonly recordings: readonly string[];
  /** SHA-256 of the canonical JSON of the rest, in hexadecimal digits. */
  readonly hash: string;
}

/** The erasure of a person. Once it is completed, it does not say of whom. */
@Entity('erasures')
@Check('erasures_words_check', `words IN ('${ERASED_WORDS.join(`', '`)}')`)
@Check('erasures_status_check', `status IN ('${ERASURE_STATUSES.join(`', '`)}')`)
@Check(
  'erasures_completed_check',
  `(status = 'completed') = (receipt IS NOT NULL) AND (receipt IS NULL OR (user_id IS NULL AND email IS NULL AND names = '{}'))`,
)
@Index('erasures_organization_id_idx', { synchronize: false })
export class Erasure {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'erasures_pkey' })
  id: string;

  /** Null: in the whole installation. */
  @ForeignKey(() => Organization, { name: 'erasures_organization_id_fkey', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'organization_id', nullable: true, update: false })
  organizationId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, update: false })
  createdAt: Date;

  /** Null: on the command line, or by a user who has been deleted. */
  @ForeignKey(() => User, { name: 'erasures_created_by_fkey', onDelete: 'SET NULL' })
  @Index('erasures_created_by_idx')
  @Column({ type: 'uuid', name: 'created_by', nullable: true, update: false })
  createdBy: string | null;

  /** This and the next two are those of `Person`. */
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  @Column('text', { nullable: true })
  email: string | null;

  @Column('text', { array: true })
  names: readonly string[];

  @Column({ type: 'text', update: false })
  words: ErasedWords;

  @Column({ type: 'boolean', name: 'silence_audio', update: false })
  silenceAudio: boolean;

  @Column('text')
  status: ErasureStatus;

  /** Why it has failed. */
  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  @Column({ type: 'jsonb', update: false })
  preview: ErasurePreview;

  @Column('jsonb', { nullable: true })
  receipt: ErasureReceipt | null;
}
