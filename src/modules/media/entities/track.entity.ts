import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { bytes } from '../../../platform/database/bytes.column.js';
import { PackagedColumns, Recording } from '../../recordings/access/entities/recording.entity.js';
import { User } from '../../users/entities/user.entity.js';

export const TRACK_KINDS = ['audio', 'video', 'screen'] as const;
export type TrackKind = (typeof TRACK_KINDS)[number];

/** How the place of a track in the recording is known, the surest first. */
export const ALIGNMENTS = ['given', 'mix', 'clock', 'none'] as const;
export type Alignment = (typeof ALIGNMENTS)[number];

/** A file of one participant of a recording. While it has an upload, that says how far it has got. */
@Entity('tracks')
@Index('tracks_recording_id_idx', ['recordingId', 'createdAt', 'id'])
@Check('tracks_kind_check', `kind IN ('audio', 'video', 'screen')`)
@Check('tracks_origin_check', `origin IN ('upload', 'archive', 'media')`)
@Check('tracks_alignment_check', `alignment IN ('given', 'mix', 'clock', 'none')`)
export class Track extends PackagedColumns {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'tracks_pkey' })
  id: string;

  @ForeignKey(() => Recording, { name: 'tracks_recording_id_fkey', onDelete: 'CASCADE' })
  @Column('uuid', { name: 'recording_id' })
  recordingId: string;

  @ForeignKey(() => User, { name: 'tracks_user_id_fkey', onDelete: 'SET NULL' })
  @Index('tracks_user_id_idx', { where: 'user_id IS NOT NULL' })
  @Column('uuid', { name: 'user_id', nullable: true })
  userId: string | null;

  /** The participant; empty until it is known. */
  @Column('text')
  name: string;

  @Column('text')
  kind: TrackKind;

  /** BCP 47 code of the spoken language. */
  @Column('text', { nullable: true })
  language: string | null;

  /** `media`: it is one of several in the file of the recording, which has all that is heard in it. */
  @Column('text')
  origin: 'upload' | 'archive' | 'media';

  /** Seconds from the beginning of the recording, as a client or an archive says. */
  @Column('double precision', { name: 'given_offset', nullable: true })
  givenOffset: number | null;

  /** The same as it has turned out to be. */
  @Column('double precision', { nullable: true })
  offset: number | null;

  @Column('text', { nullable: true })
  alignment: Alignment | null;

  /** Seconds. */
  @Column('double precision', { nullable: true })
  duration: number | null;

  /** Below `packageKey`: the sound, on the time line of the recording. */
  @Column('text', { name: 'audio_playlist', nullable: true })
  audioPlaylist: string | null;

  /** Below `packageKey`: picture and sound as they came; null without a picture. */
  @Column('text', { name: 'picture_playlist', nullable: true })
  picturePlaylist: string | null;

  /** What is missing, for users. */
  @Column('text', { nullable: true })
  notice: string | null;

  /** Bytes of the file, counted as those of the recording. */
  @Column('bigint', { name: 'stored_bytes', default: 0, transformer: bytes })
  storedBytes: number;

  /** The attempt that processes it. */
  @Column('uuid', { name: 'attempt_id', nullable: true })
  attemptId: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
