import type { Topic } from './topic.js';

export const SEARCH: Topic = {
  up: [
    // A common word is found by reading a row of most chunks, so rows are kept narrow: `words`, which only phrases need, lies
    // in the TOAST table. PostgreSQL looks into that for rows of two kilobytes and more only, which is what `padding` is for:
    // it makes every row that long, and is then compressed to some thirty bytes.
    `CREATE TABLE search_entries (
      recording_id uuid NOT NULL
        CONSTRAINT search_entries_recording_id_fkey REFERENCES recordings ON DELETE CASCADE,
      source text NOT NULL
        CONSTRAINT search_entries_source_check CHECK (source IN ('title', 'notes', 'summary', 'transcript')),
      chunk_index integer NOT NULL DEFAULT 0,
      scope_id uuid NOT NULL,
      config text NOT NULL,
      words tsvector NOT NULL,
      padding text NOT NULL DEFAULT repeat(' ', 2000),
      CONSTRAINT search_entries_pkey PRIMARY KEY (recording_id, source, chunk_index)
    ) WITH (toast_tuple_target = 256)`,
    `ALTER TABLE search_entries ALTER COLUMN words SET STORAGE EXTERNAL`,
    // Every search reads the list of pending entries from end to end, so that is kept short.
    `CREATE INDEX search_entries_words_idx ON search_entries USING gin (config, scope_id, words)
      WITH (gin_pending_list_limit = 256)`,
    // Tells which configurations a scope uses.
    `CREATE INDEX search_entries_scope_idx ON search_entries (scope_id, config)`,

    // The vocabulary of each scope, for typing errors and compounds. Without a unique constraint: transactions that add the same
    // word would wait for each other, or deadlock. A job removes duplicates, and words that no longer occur.
    `CREATE TABLE search_words (
      scope_id uuid NOT NULL,
      word text NOT NULL
    )`,
    `CREATE INDEX search_words_scope_idx ON search_words (scope_id, word text_pattern_ops)`,
    `CREATE INDEX search_words_similar_idx ON search_words USING gin (scope_id, word gin_trgm_ops)`,
  ],
  down: [`DROP TABLE search_words, search_entries`],
};
