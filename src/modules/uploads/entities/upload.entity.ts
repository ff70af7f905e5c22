import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bytes, nullableBytes } from '../../../platform/database/bytes.column.js';
import { User } from '../../users/entities/user.entity.js';
import type { Caller } from '../../../policy/caller.js';
import { SealingKey } from '../../../platform/sealing/sealing-key.entity.js';

/** The upload of a recording, or of one of its tracks. The row is deleted once its bytes are in long-term storage. */
@Entity('uploads')
@Check('uploads_received_check', 'received >= 0 AND (size IS NULL OR received <= size)')
@Check('uploads_kept_bytes_check', 'kept_bytes >= 0')
@Check('uploads_progress_check', 'progress >= 0 AND progress <= 1')
export class Upload {
  /** The id of the upload, which is that of the recording, or of the track. */
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'uploads_pkey' })
  recordingId: string;

  /** The recording whose track is uploaded; null if it is the recording itself. */
  @Index('uploads_track_of_idx', { where: 'track_of IS NOT NULL' })
  @Column('uuid', { name: 'track_of', nullable: true })
  trackOf: string | null;

  /** The user whose limit of open uploads it counts towards. */
  @ForeignKey(() => User, { name: 'uploads_user_id_fkey', onDelete: 'SET NULL' })
  @Index('uploads_user_id_idx', { where: 'closed_at IS NULL' })
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  /** Bytes; null while it is not known how long the meeting will be. */
  @Column('bigint', { nullable: true, transformer: nullableBytes })
  size: number | null;

  /** Number of bytes stored durably, from the first one on without gaps. */
  @Column('bigint', { default: 0, transformer: bytes })
  received: number;

  /** How often the upload was restarted; requests from before the last restart are refused. */
  @Column('integer', { default: 0 })
  generation: number;

  /** The claim of the latest request that appended bytes or restarted the upload; earlier ones are refused. */
  @Column('bigint', { name: 'turn', default: 0, transformer: bytes })
  claim: number;

  /** Media type detected from the first bytes; null until there are enough of them. */
  @Column('text', { name: 'media_type', nullable: true })
  mediaType: string | null;

  /** `Upload-Metadata` as the client sent it; null unless tus created the upload. */
  @Column('text', { nullable: true })
  metadata: string | null;

  /** The service fetches its bytes from a `source_url`; clients cannot send any. */
  @Column('boolean', { default: false })
  fetched: boolean;

  /** When the last bytes arrived. */
  @Column({ type: 'timestamptz', name: 'active_at', precision: 3 })
  activeAt: Date;

  /** When it stopped accepting bytes, because it was complete or had been idle for too long. */
  @Column({ type: 'timestamptz', name: 'closed_at', precision: 3, nullable: true })
  closedAt: Date | null;

  /** Opened for an existing recording, which keeps its media and its status until the new media has been packaged. */
  @Column('boolean', { default: false })
  added: boolean;

  /** Bytes of the media that the recording keeps meanwhile; they count towards the quota as well. */
  @Column('bigint', { name: 'kept_bytes', default: 0, transformer: bytes })
  keptBytes: number;

  /** The progress of packaging, if `added`; as `progress` of a recording. */
  @Column('double precision', { default: 0 })
  progress: number;

  /** Why it failed, if `added`; the row then stays until the next upload. */
  @Column('text', { name: 'status_reason', nullable: true })
  statusReason: string | null;

  /** Not stored: who sends the bytes, and must still be allowed to; undefined if the service fetches them. */
  sender?: Caller;
}

/** The recording that an upload belongs to. */
export const recordingOf = ({ recordingId, trackOf }: Pick<Upload, 'recordingId' | 'trackOf'>): string =>
  trackOf ?? recordingId;

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
