import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { SealingKey } from '../../../platform/sealing/sealing-key.entity.js';
import { Upload } from './upload.entity.js';

/** Where the bytes of an upload are fetched from, as long as they are. */
@Entity('upload_sources')
export class UploadSource {
  @ForeignKey(() => Upload, { name: 'upload_sources_recording_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'upload_sources_pkey' })
  recordingId: string;

  /** The URL, sealed by `UploadSourcesService`: it may contain a secret. */
  @Column('bytea', { name: 'url_sealed' })
  urlSealed: Buffer;

  @ForeignKey(() => SealingKey, { name: 'upload_sources_sealing_key_id_fkey', onDelete: 'RESTRICT' })
  @Column('text', { name: 'sealing_key_id' })
  sealingKeyId: string;

  /** Strong `ETag` or `Last-Modified` of the file that is being received; null if the server gave none. */
  @Column('text', { nullable: true })
  validator: string | null;

  /** Failed attempts since bytes last arrived. */
  @Column('integer', { default: 0 })
  failures: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
