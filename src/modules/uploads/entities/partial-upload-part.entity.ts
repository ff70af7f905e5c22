import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { bytes } from '../../../platform/database/bytes.column.js';
import { PartialUpload } from './partial-upload.entity.js';

/** A part of a partial upload; its object becomes a part of the joined upload. */
@Entity('partial_upload_parts')
@Check('partial_upload_parts_size_check', 'size > 0')
export class PartialUploadPart {
  @PrimaryColumn('uuid', { name: 'partial_id', primaryKeyConstraintName: 'partial_upload_parts_pkey' })
  partialId: string;

  @ManyToOne(() => PartialUpload, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'partial_id', foreignKeyConstraintName: 'partial_upload_parts_partial_id_fkey' })
  partial?: Relation<PartialUpload>;

  /** Offset of its first byte in the partial upload. */
  @PrimaryColumn('bigint', { transformer: bytes, primaryKeyConstraintName: 'partial_upload_parts_pkey' })
  start: number;

  /** Bytes. */
  @Column('bigint', { transformer: bytes })
  size: number;

  @Column('text')
  key: string;
}
