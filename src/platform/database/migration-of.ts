import type { MigrationInterface, QueryRunner } from 'typeorm';

type Migration = new () => MigrationInterface;

/** The base of a migration that runs statements, each way in their order. */
export const migrationOf = (up: readonly string[], down: readonly string[]): Migration =>
  class implements MigrationInterface {
    async up(queryRunner: QueryRunner): Promise<void> {
      for (const statement of up) await queryRunner.query(statement);
    }

    async down(queryRunner: QueryRunner): Promise<void> {
      for (const statement of down) await queryRunner.query(statement);
    }
  };
