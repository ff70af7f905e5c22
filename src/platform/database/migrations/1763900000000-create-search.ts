import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The index of words, filled from what is there. */
export class CreateSearch1763900000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  /** `btree_gin` stays: others may use it, and it may have been there before. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE search_entries');
  }
}

/** The text search configurations as they were at this migration, by language. */
const CONFIGS = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

const CONFIG_ROWS = Object.entries(CONFIGS)
  .map(([language, config]) => `('${language}', '${config}')`)
  .join(', ');

const SUMMARY_TEXT = `concat_ws(E'\\n', s.content, (
  SELECT string_agg(item #>> '{}', E'\\n')
  FROM jsonb_path_query(s.topics::jsonb, 'strict $.**') AS item WHERE jsonb_typeof(item) = 'string'))`;

const CHUNK_TEXT = `(
  SELECT string_agg(segment ->> 'text', E'\\n' ORDER BY position)
  FROM json_array_elements(c.segments) WITH ORDINALITY AS listed (segment, position))`;

const UP = [
  `CREATE EXTENSION IF NOT EXISTS btree_gin`,

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

  `WITH configs (language, config) AS (VALUES ${CONFIG_ROWS}),
  texts AS (
    SELECT r.id, 'title' AS source, 0 AS chunk_index, r.title AS text FROM recordings r
    UNION ALL SELECT r.id, 'notes', 0, r.notes FROM recordings r
    UNION ALL SELECT s.recording_id, 'summary', 0, ${SUMMARY_TEXT} FROM summaries s
    UNION ALL SELECT c.recording_id, 'transcript', c.chunk_index, ${CHUNK_TEXT} FROM transcript_chunks c
  )
  INSERT INTO search_entries (recording_id, source, chunk_index, scope_id, config, words)
  SELECT id, source, chunk_index, scope_id, config, words FROM (
    SELECT texts.*, COALESCE(r.organization_id, r.owner_id, r.id) AS scope_id, COALESCE(configs.config, 'simple') AS config,
      to_tsvector(COALESCE(configs.config, 'simple')::regconfig, regexp_replace(translate(
        CASE WHEN octet_length(text) <= 250000 THEN text ELSE left(text, 62500) END, '<>', '  '),
        '\\S{100}', '\\& ', 'g')) AS words
    FROM texts
    JOIN recordings r USING (id)
    LEFT JOIN transcripts t ON t.recording_id = r.id
    LEFT JOIN configs ON configs.language = split_part(lower(t.language), '-', 1)
  ) made WHERE length(words) > 0`,

  // Every search reads the list of pending entries from end to end, so that is kept short.
  `CREATE INDEX search_entries_words_idx ON search_entries USING gin (config, scope_id, words)
    WITH (gin_pending_list_limit = 256)`,
  // Tells which configurations a scope uses.
  `CREATE INDEX search_entries_scope_idx ON search_entries (scope_id, config)`,
];
