import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recording } from '../../../recordings/access/entities/recording.entity.js';
import { LegalHold } from './legal-hold.entity.js';

/** A recording that a hold covers, wherever it has been moved since; triggers write it. */
@Entity('held_recordings')
export class HeldRecording {
  @ForeignKey(() => Recording, { name: 'held_recordings_recording_id_fkey', onDelete: 'RESTRICT' })
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'held_recordings_pkey' })
  recordingId: string;

  @ForeignKey(() => LegalHold, { name: 'held_recordings_hold_id_fkey', onDelete: 'CASCADE' })
  @Index('held_recordings_hold_id_idx')
  @PrimaryColumn('uuid', { name: 'hold_id', primaryKeyConstraintName: 'held_recordings_pkey' })
  holdId: string;
}
