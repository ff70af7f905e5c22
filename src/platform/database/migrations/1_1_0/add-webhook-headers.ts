import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks are sent with headers of their own, whose values are sealed with the URL. */
export class AddWebhookHeaders1796349600000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhooks ADD COLUMN header_names text[] NOT NULL DEFAULT '{}'`);
  }

  /** Those with headers remain unreadable to the previous version, until they get another URL. */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhooks DROP COLUMN header_names');
  }
}
