import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `Upload-Metadata`, which tus returns as it was sent. */
export class DescribeUploads1764650000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE uploads ADD COLUMN metadata text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE uploads DROP COLUMN metadata');
  }
}
