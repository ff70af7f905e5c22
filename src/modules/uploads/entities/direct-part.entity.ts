import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Upload } from './upload.entity.js';

/** A part that a client was given a URL for, to store it itself; whether it has is only known to the store. */
@Entity('direct_parts')
@Check('direct_parts_number_check', 'number > 0')
export class DirectPart {
  @ForeignKey(() => Upload, { name: 'direct_parts_recording_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'direct_parts_pkey' })
  recordingId: string;

  /** From 1 on, in the order of the file. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'direct_parts_pkey' })
  number: number;

  /** What the store accepts under this key, in lower-case hexadecimal. */
  @Column('text')
  sha256: string;

  @Column('text')
  key: string;
}
