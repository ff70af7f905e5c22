import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { MutedRange } from '../../../lib/media-engine/audio/mute.js';
import type { ErasureCounts } from '../erasure-receipt.response.dto.js';
import { Erasure } from './erasure.entity.js';

/** A recording from which a person has been erased, until the erasure is completed. It may be deleted. */
@Entity('erasure_recordings')
export class ErasureRecording {
  @ForeignKey(() => Erasure, { name: 'erasure_recordings_erasure_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'erasure_id', primaryKeyConstraintName: 'erasure_recordings_pkey' })
  erasureId: string;

  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'erasure_recordings_pkey' })
  recordingId: string;

  @Column('jsonb')
  counts: ErasureCounts;

  /** What still has to be silenced. */
  @Column('jsonb', { nullable: true })
  mute: readonly MutedRange[] | null;
}
