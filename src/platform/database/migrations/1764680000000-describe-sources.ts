import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds media type and checksum of originals, which are served at URLs from before their conversion. */
export class DescribeSources1764680000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE recordings ADD COLUMN source_type text, ADD COLUMN source_sha256 text',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE recordings DROP COLUMN source_type, DROP COLUMN source_sha256');
  }
}
