import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Recording } from '../../recordings/access/entities/recording.entity.js';

/** The media that a recording had before it was replaced, kept for those who are playing it. */
@Entity('retired_media')
export class RetiredMedia {
  @ForeignKey(() => Recording, { name: 'retired_media_recording_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'retired_media_pkey' })
  recordingId: string;

  @Column('text', { name: 'media_key' })
  mediaKey: string;

  @Column('text', { name: 'media_type', nullable: true })
  mediaType: string | null;

  @Column('text', { name: 'media_sha256', nullable: true })
  mediaSha256: string | null;

  /** The original, if the media was converted from it. */
  @Column('text', { name: 'source_key', nullable: true })
  sourceKey: string | null;

  @Column('text', { name: 'source_type', nullable: true })
  sourceType: string | null;

  @Column('text', { name: 'source_sha256', nullable: true })
  sourceSha256: string | null;

  @Column('text', { name: 'package_key', nullable: true })
  packageKey: string | null;

  /** When all URLs that were issued for it have expired. */
  @Column({ type: 'timestamptz', precision: 3 })
  until: Date;
}
