import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Revisions of transcripts and summaries, the attempts that make them, and why one failed. */
export class AddContentWork1763800000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    // Of the few that are worked on, to tell whose folders may go.
    await queryRunner.query(
      `CREATE INDEX recordings_packaging_id_idx ON recordings (packaging_id) WHERE packaging_id IS NOT NULL`,
    );
    for (const table of ['transcripts', 'summaries']) {
      await queryRunner.query(
        `ALTER TABLE ${table}
          ADD COLUMN status_reason text,
          ADD COLUMN revision integer NOT NULL DEFAULT 1,
          ADD COLUMN attempt_id uuid`,
      );
    }
    await queryRunner.query(
      `CREATE INDEX transcripts_attempt_id_idx ON transcripts (attempt_id) WHERE attempt_id IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX recordings_packaging_id_idx');
    for (const table of ['summaries', 'transcripts']) {
      await queryRunner.query(
        `ALTER TABLE ${table} DROP COLUMN attempt_id, DROP COLUMN revision, DROP COLUMN status_reason`,
      );
    }
  }
}
