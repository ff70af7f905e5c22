import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The order of the requests that send bytes. */
export class OrderUploads1764200000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [`CREATE SEQUENCE upload_turns`, `ALTER TABLE uploads ADD COLUMN turn bigint NOT NULL DEFAULT 0`];

const DOWN = [`ALTER TABLE uploads DROP COLUMN turn`, `DROP SEQUENCE upload_turns`];
