import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recording } from '../../../recordings/access/entities/recording.entity.js';

/** The parts of a recording that are searched. */
export const SEARCH_SOURCES = ['title', 'notes', 'summary', 'transcript'] as const;
export type SearchSource = (typeof SEARCH_SOURCES)[number];

/**
 * The index entry of one text of a recording: its title, its notes, its summary, or one chunk of its transcript. The
 * index starts with configuration and scope, so that a search never reads entries of another tenant. TypeORM's
 * decorators cannot express it; a migration creates it.
 */
@Entity('search_entries')
@Check('search_entries_source_check', `source IN ('title', 'notes', 'summary', 'transcript')`)
@Index('search_entries_words_idx', { synchronize: false })
@Index('search_entries_scope_idx', ['scopeId', 'config'])
export class SearchEntry {
  @ForeignKey(() => Recording, { name: 'search_entries_recording_id_fkey', onDelete: 'CASCADE' })
  @PrimaryColumn('uuid', { name: 'recording_id', primaryKeyConstraintName: 'search_entries_pkey' })
  recordingId: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'search_entries_pkey' })
  source: SearchSource;

  /** Index of the transcript chunk; 0 for the other sources. */
  @PrimaryColumn('integer', {
    name: 'chunk_index',
    default: 0,
    primaryKeyConstraintName: 'search_entries_pkey',
  })
  chunkIndex: number;

  /** The recording's organization or, for a personal recording, its owner. */
  @Column('uuid', { name: 'scope_id' })
  scopeId: string;

  /** Name of the text search configuration behind `words`; not its OID, which differs between clusters. */
  @Column('text')
  config: string;

  @Column('tsvector')
  words: string;

  /** Padding that makes PostgreSQL store `words` out of line (TOAST); see the migration. */
  @Column('text', { default: () => `repeat(' ', 2000)`, select: false })
  padding: string;
}
