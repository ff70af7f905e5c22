import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often the bytes of a part have been merged. */
export class LevelUploadParts1764651000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE upload_parts ADD COLUMN level smallint NOT NULL DEFAULT 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE upload_parts DROP COLUMN level');
  }
}
