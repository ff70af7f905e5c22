import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The key of the media of a recording; those from before `CONTENT_KEY` was set have none. A trigger deletes it. */
@Entity('recording_keys')
export class RecordingKey {
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'recording_keys_pkey' })
  recordingId: string;

  /** Whose `ContentKey` it is sealed with. */
  @Index('recording_keys_scope_id_idx')
  @Column('uuid', { name: 'scope_id' })
  scopeId: string;

  @Column('bytea')
  sealed: Buffer;
}
