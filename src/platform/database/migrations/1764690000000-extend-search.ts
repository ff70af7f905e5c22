import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The vocabulary of each scope, for typing errors and compounds, and how far the index has been rewritten: its entries now
 * have speakers, one spelling of identifiers, and no accents. A job rewrites those that exist.
 */
export class ExtendSearch1764690000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  /** `pg_trgm` stays: others may use it. Rewritten entries stay too; the next change of a text replaces them. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE search_reindex');
    await queryRunner.query('DROP TABLE search_words');
  }
}

const UP = [
  `CREATE EXTENSION IF NOT EXISTS pg_trgm`,

  // Without a unique constraint: transactions that add the same word would wait for each other, or deadlock. A job removes
  // duplicates, and words that no longer occur.
  `CREATE TABLE search_words (
    scope_id uuid NOT NULL,
    word text NOT NULL
  )`,
  `CREATE INDEX search_words_scope_idx ON search_words (scope_id, word text_pattern_ops)`,
  `CREATE INDEX search_words_similar_idx ON search_words USING gin (scope_id, word gin_trgm_ops)`,

  // One row while recordings remain to be indexed anew: those with a greater id.
  `CREATE TABLE search_reindex (
    after_id uuid NOT NULL
  )`,
  `INSERT INTO search_reindex (after_id)
   SELECT '00000000-0000-0000-0000-000000000000' WHERE EXISTS (SELECT FROM recordings)`,
];
