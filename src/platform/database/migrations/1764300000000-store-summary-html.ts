import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Summaries as share pages show them. A job renders those that are there. */
export class StoreSummaryHtml1764300000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE summaries ADD COLUMN html text');
    await queryRunner.query(
      `CREATE INDEX summaries_not_rendered_idx ON summaries (recording_id) WHERE content <> '' AND html IS NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX summaries_not_rendered_idx');
    await queryRunner.query('ALTER TABLE summaries DROP COLUMN html');
  }
}
