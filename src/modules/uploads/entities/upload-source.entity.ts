import { Column, Entity, JoinColumn, ManyToOne, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { SealingKey } from '../../../platform/sealing/sealing-key.entity.js';
import { Upload } from './upload.entity.js';

/** Where the bytes of an upload are fetched from, as long as they are. */
@Entity('upload_sources')
export class UploadSource {
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'upload_sources_pkey' })
  recordingId: string;

  @OneToOne(() => Upload, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'upload_sources_recording_id_fkey' })
  upload?: Relation<Upload>;

  /** The URL, sealed by `UploadSourcesService`: it may contain a secret. */
  @Column('bytea', { name: 'url_sealed' })
  urlSealed: Buffer;

  @Column('text', { name: 'sealing_key_id' })
  sealingKeyId: string;

  @ManyToOne(() => SealingKey, { onDelete: 'RESTRICT' })
  @JoinColumn({ name: 'sealing_key_id', foreignKeyConstraintName: 'upload_sources_sealing_key_id_fkey' })
  sealingKey?: Relation<SealingKey>;

  /** Strong `ETag` or `Last-Modified` of the file that is being received; null if the server gave none. */
  @Column('text', { nullable: true })
  validator: string | null;

  /** Failed attempts since bytes last arrived. */
  @Column('integer', { default: 0 })
  failures: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
