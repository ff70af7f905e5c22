import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The index now has the words of Chinese, Japanese, Korean, Thai and related languages, which PostgreSQL does not find: a job
 * indexes everything anew. Until then it is found as before.
 */
export class ReindexDenseScripts1764750000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  /** What has been indexed anew stays; the next change of a text replaces it. */
  async down(): Promise<void> {}
}

const UP = [
  // From the beginning, also if the job is at work after an earlier upgrade.
  `DELETE FROM search_reindex`,
  `INSERT INTO search_reindex (after_id)
   SELECT '00000000-0000-0000-0000-000000000000' WHERE EXISTS (SELECT FROM recordings)`,
];
