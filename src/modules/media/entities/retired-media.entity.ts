import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Recording, MediaColumns } from '../../recordings/access/entities/recording.entity.js';

/** The media that a recording had before it was replaced, kept for those who are playing it. */
@Entity('retired_media')
export class RetiredMedia extends MediaColumns {
  @ForeignKey(() => Recording, { name: 'retired_media_recording_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'retired_media_pkey' })
  recordingId: string;

  @Column('text', { name: 'media_key' })
  mediaKey: string;

  /** When all URLs that were issued for it have expired. */
  @Column({ type: 'timestamptz', precision: 3 })
  until: Date;
}
