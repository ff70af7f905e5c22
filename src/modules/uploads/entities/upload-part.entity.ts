import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { bytes } from '../../../platform/database/bytes.column.js';
import { Upload } from './upload.entity.js';

/** A part of an upload: a separate object, written once and never modified. */
@Entity('upload_parts')
@Check('upload_parts_size_check', 'size > 0')
export class UploadPart {
  @ForeignKey(() => Upload, { name: 'upload_parts_recording_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'upload_parts_pkey' })
  recordingId: string;

  /** Offset of its first byte in the upload. */
  @PrimaryColumn('bigint', { transformer: bytes, primaryKeyConstraintName: 'upload_parts_pkey' })
  start: number;

  /** Bytes. */
  @Column('bigint', { transformer: bytes })
  size: number;

  @Column('text')
  key: string;
}
