import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Recording } from '../../recording-access/entities/recording.entity.js';

/** Where in a recording words are found. */
export const SEARCH_SOURCES = ['title', 'notes', 'summary', 'transcript'] as const;
export type SearchSource = (typeof SEARCH_SOURCES)[number];

/**
 * The words of one text of a recording: of its title, its notes, its summary, or one chunk of its transcript. The index
 * begins with configuration and scope, so that nobody pays for the words of another tenant; decorators cannot say it,
 * the migration makes it.
 */
@Entity('search_entries')
@Check('search_entries_source_check', `source IN ('title', 'notes', 'summary', 'transcript')`)
@Index('search_entries_words_idx', { synchronize: false })
@Index('search_entries_scope_idx', ['scopeId', 'config'])
export class SearchEntry {
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'search_entries_pkey' })
  recordingId: string;

  @ManyToOne(() => Recording, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'recording_id', foreignKeyConstraintName: 'search_entries_recording_id_fkey' })
  recording?: Relation<Recording>;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'search_entries_pkey' })
  source: SearchSource;

  /** Of the transcript; 0 for the other sources. */
  @PrimaryColumn('integer', {
    name: 'chunk_index',
    default: 0,
    primaryKeyConstraintName: 'search_entries_pkey',
  })
  chunkIndex: number;

  /** The organization of the recording; of a personal one its owner. */
  @Column('uuid', { name: 'scope_id' })
  scopeId: string;

  /** Name of the text search configuration that made `words`; not its number, which another cluster does not know. */
  @Column('text')
  config: string;

  @Column('tsvector')
  words: string;

  /** Blanks that make PostgreSQL keep `words` outside of the row; see the migration. */
  @Column('text', { default: () => `repeat(' ', 2000)`, select: false })
  padding: string;
}
