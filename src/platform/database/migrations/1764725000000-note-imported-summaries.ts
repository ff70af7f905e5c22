import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a workspace import tell summaries that nobody has changed since from others. Of existing summaries this is not known. */
export class NoteImportedSummaries1764725000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE summaries ADD COLUMN workspace_revision integer');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE summaries DROP COLUMN workspace_revision');
  }
}
