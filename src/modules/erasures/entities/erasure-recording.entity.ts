import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { MutedRange } from '../../../lib/media-engine/audio/mute.js';
import { Erasure, type ErasureCounts } from './erasure.entity.js';

/** A recording from which a person is erased, until the erasure is completed. It may be deleted already. */
@Entity('erasure_recordings')
export class ErasureRecording {
  @ForeignKey(() => Erasure, { name: 'erasure_recordings_erasure_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'erasure_id', primaryKeyConstraintName: 'erasure_recordings_pkey' })
  erasureId: string;

  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'erasure_recordings_pkey' })
  recordingId: string;

  /** It is the person's, and so deleted. */
  @Column('boolean')
  owned: boolean;

  /** What was erased in it; null: nothing yet. */
  @Column('jsonb', { nullable: true })
  counts: ErasureCounts | null;

  /** What still has to be silenced. */
  @Column('jsonb', { nullable: true })
  mute: readonly MutedRange[] | null;

  /** Why it could not be silenced. */
  @Column('text', { nullable: true })
  failure: string | null;
}
