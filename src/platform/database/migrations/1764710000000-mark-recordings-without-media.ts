import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks the recordings that were created without media on purpose, whose capabilities say so. */
export class MarkRecordingsWithoutMedia1764710000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE recordings ADD COLUMN without_media boolean NOT NULL DEFAULT false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE recordings DROP COLUMN without_media');
  }
}
